"""How results are shown: one module a rendering."""
