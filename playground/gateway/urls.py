"""The gateway's addresses, below /v1/."""

from django.urls import path

from playground.gateway import views

urlpatterns = [
    path("models", views.models),
]
