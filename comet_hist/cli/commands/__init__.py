"""The commands, one module each. What takes long to import is imported where it is used."""
