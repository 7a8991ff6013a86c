"""The gateway without the rest of the playground, as an ASGI application for tests/support/daphne.py."""

from django.conf import settings

settings.ROOT_URLCONF = "tests.support.gateway_alone_urls"

from django.core.asgi import get_asgi_application  # noqa: E402

from playground.gateway.wire import with_wire  # noqa: E402

application = with_wire(get_asgi_application())
