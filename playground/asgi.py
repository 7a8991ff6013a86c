"""The front doors for HTTP and WebSockets, as daphne serves them."""

import os
import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
django_application = get_asgi_application()

from playground.gateway.wire import with_wire  # noqa: E402 - the apps must be ready first
from playground.web.middleware import SocketAccessToken  # noqa: E402
from playground.web.static_files import StaticFiles  # noqa: E402
from playground.web.urls import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": StaticFiles(with_wire(django_application)),
        "websocket": SocketAccessToken(URLRouter(websocket_urlpatterns)),
    }
)

# The thread that writes recordings may keep the interpreter for so long when the event loop wants it back. Python's own
# 5 ms are felt as delay.
sys.setswitchinterval(0.001)
