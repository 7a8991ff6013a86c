"""Addresses of the gateway alone."""

from django.urls import include, path

urlpatterns = [path("v1/", include("playground.gateway.urls"))]
