"""What all tests share."""

import os

from hypothesis import settings

# How long an example takes says more about the machine than about the program. A change is judged by the same
# examples each time; who works on the program sees new ones.
settings.register_profile("here", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("here")

# Tests start the command hundreds of times. Were its bytecode not kept, each start would compile the program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
