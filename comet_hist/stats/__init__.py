"""Statistics over a loaded database: one SQL file a question, one table of columns that says what they mean."""
