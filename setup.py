"""Compiles the modules that have types beside them (`.pxd`); where that cannot be done, they stay plain Python."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {
    "annotation_typing": False,
    "binding": False,
    "boundscheck": False,
    "cdivision": True,
    "initializedcheck": False,
    "language_level": 3,
    "wraparound": False,
}

MODULES = sorted(types.with_suffix(".py").as_posix() for types in Path("comet_hist").glob("*/*.pxd"))

extensions = cythonize(
    [Extension(module.removesuffix(".py").replace("/", "."), [module]) for module in MODULES],
    build_dir="build/cython",
    compiler_directives=DIRECTIVES,
)
for extension in extensions:
    extension.optional = True

setup(ext_modules=extensions)
