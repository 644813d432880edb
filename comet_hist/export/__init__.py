"""Out and in again: records as JSON, tables and a chip ledger for other programs, and JSON back to records."""
