"""Tests of the lab: environments for learners."""
