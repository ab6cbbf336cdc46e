"""Optional packages, imported when they are needed and named when they are missing."""

from importlib import import_module
from types import ModuleType

from counterflownet.errors import MissingExtraError


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """The imported module, or an error that names the command which installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.split(".", maxsplit=1)[0]:
            raise  # installed, but broken inside: that is another story, told by its own traceback
        package = module.split(".", maxsplit=1)[0]
        message = f"{purpose} needs the package {package!r}. Run: pip install {package} (part of the extra {extra!r})"
        raise MissingExtraError(message) from error
