"""What all tests share."""

from hypothesis import settings

# How long an example takes says more about the machine than about the program.
settings.register_profile("here", deadline=None)
settings.load_profile("here")
