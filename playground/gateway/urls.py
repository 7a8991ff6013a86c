"""The gateway's addresses, below /v1/."""

from django.urls import path

from playground.gateway import views

urlpatterns = [
    path("chat/completions", views.chat_completions),
    path("messages", views.messages),
    path("responses", views.responses),
    path("models", views.models),
    path("usage", views.usage),
    path("<path:address>", views.nothing),
]
