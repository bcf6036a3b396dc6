"""Compiling the rules and the referee: dataclasses into plain classes, Python into C by mypyc, C by the C compiler."""
