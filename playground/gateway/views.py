"""The gateway's doors: read the request, find the script, answer."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse

from playground.gateway.catalogue import MODELS


async def models(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"object": "list", "data": [model.listed() for model in MODELS.values()]})
