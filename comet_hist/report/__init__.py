"""The page of a database: one file that shows everything and works without a network."""
