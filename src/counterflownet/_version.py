"""The version of the library, written into every file it saves."""

VERSION = "0.1.0"
