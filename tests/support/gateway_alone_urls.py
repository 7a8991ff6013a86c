"""Addresses of the gateway alone, and one that breaks in the middle of its answer."""

from collections.abc import AsyncIterator

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import include, path


async def breaks(request: HttpRequest) -> StreamingHttpResponse:
    async def body() -> AsyncIterator[bytes]:
        yield b"half of "
        raise RuntimeError("on purpose")

    return StreamingHttpResponse(body())


urlpatterns = [path("v1/", include("playground.gateway.urls")), path("breaks", breaks)]
