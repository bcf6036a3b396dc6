"""The option that says what holds the bots of a command."""

from __future__ import annotations

import click

from arena.sandbox.levels import SandboxPolicy

sandbox_option = click.option(
    "--sandbox",
    default=SandboxPolicy.AUTO.value,
    show_default=True,
    type=click.Choice([policy.value for policy in SandboxPolicy]),
    help="auto: the best that works here; required: one that holds untrusted bots; off: none.",
)
