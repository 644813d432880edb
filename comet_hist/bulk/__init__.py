"""The bulk lane: canonical English text proved clean by a compiled kernel, straight into columns.

`chunks` cuts a file at its sessions, `kernel` scans, replays and audits their bytes, `columns` says what comes out.
What the kernel cannot prove clean it leaves alone: that goes the ordinary road, which alone explains.
"""
