"""The database: what is kept, how it is loaded, and how it is asked. Knows nothing of the rules of play."""
