"""The intrinsics by subject; importing this package registers all of them."""

from cfrontend.lower.intrinsics import control, convention, inputs, memory, pointers, stdio, verification

__all__ = ["control", "convention", "inputs", "memory", "pointers", "stdio", "verification"]
