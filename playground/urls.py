"""The front doors for HTTP."""

from django.urls import include, path

urlpatterns = [
    path("v1/", include("playground.gateway.urls")),
    path("", include("playground.web.urls")),
]
