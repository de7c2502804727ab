"""Vets shell commands before they run: allow, ask or deny."""

__version__ = "0.1.0"
