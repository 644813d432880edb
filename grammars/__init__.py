"""The languages of the notation as data: one vocabulary a language, and the normative grammar."""
