"""The doors for people."""

from django.urls import path

from playground.web import exporting, library, parts, views
from playground.web.consumers import watch_session

urlpatterns = [
    path("", views.play),
    path("sessions/", views.start),
    path("sessions/<slug:session>/", views.play),
    path("sessions/<slug:session>/stop", views.stop),
    path("sessions/<slug:session>/title", library.rename),
    path("sessions/<slug:session>/export/<slug:kind>", exporting.export_session),
    path("sessions/<slug:session>/lanes/<int:lane>/bytes", parts.exact_bytes),
    path("sessions/<slug:session>/lanes/<int:lane>/media/<int:part>", parts.media),
    path("sessions/<slug:session>/lanes/<int:lane>/preview/", parts.preview),
    path("models/", views.models),
    path("usage/", views.usage),
    path("gateway/", views.gateway),
    path("healthz", views.healthz),
]

websocket_urlpatterns = [path("ws/sessions/<slug:session>/", watch_session)]  # type: ignore[arg-type]
