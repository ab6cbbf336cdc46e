"""An explainer as a service and a page: ``create_app`` makes the application, ``counterflownet serve`` runs it."""

from counterflownet.serve.settings import Limits, ServeSettings
from counterflownet.serve.start import create_app

__all__ = ["Limits", "ServeSettings", "create_app"]
