"""What all tests share."""

import os
import signal

from hypothesis import settings

# How long an example takes says more about the machine than about the program. A change is judged by the same
# examples each time; who works on the program sees new ones.
settings.register_profile("here", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("here")

# Tests start the command hundreds of times. Were its bytecode not kept, each start would compile the program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Whoever is started in the background of a script ignores Ctrl-C, and so does whatever it starts: tests that interrupt
# the command would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
