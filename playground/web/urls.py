"""The doors for people."""

from django.urls import path, re_path

from playground.web import exporting, importing, lens, library, markers, parts, rules, sharing, views
from playground.web.consumers import no_such_socket, watch_preview, watch_session, watch_shared

urlpatterns = [
    path("", views.play),
    path("sessions/", library.sessions),
    path("sessions/import", importing.take),
    path("sessions/list", library.page),
    path("sessions/some", library.some),
    path("sessions/counts", library.counts),
    path("sessions/tags", library.tag),
    path("sessions/delete", library.delete),
    path("sessions/restore", library.restore),
    path("sessions/erase", library.erase),
    path("sessions/<slug:session>/", views.play),
    path("sessions/<slug:session>/stop", views.stop),
    path("sessions/<slug:session>/title", library.rename),
    path("sessions/<slug:session>/export/<slug:kind>", exporting.export_session),
    path("sessions/<slug:session>/lanes/<int:lane>/bytes", parts.exact_bytes),
    path("sessions/<slug:session>/lanes/<int:lane>/media/<int:part>", parts.media),
    path("sessions/<slug:session>/lanes/<int:lane>/preview/", parts.preview),
    path("sessions/<slug:session>/lanes/<int:lane>/lens/<slug:format>", lens.converted_rows),
    path("sessions/<slug:session>/lanes/<int:lane>/lens/<slug:format>.sse", lens.converted_stream),
    path("sessions/<slug:session>/markers", markers.listed),
    path("sessions/<slug:session>/markers/new", markers.add),
    path("sessions/<slug:session>/markers/<int:marker>/note", markers.edit),
    path("sessions/<slug:session>/markers/<int:marker>/delete", markers.delete),
    path("sessions/<slug:session>/shares", sharing.shares),
    path("sessions/<slug:session>/shares/new", sharing.make_share),
    path("sessions/<slug:session>/shares/<slug:share>/revoke", sharing.revoke_share),
    path("models/", views.models),
    path("usage/", views.usage),
    path("gateway/", views.gateway),
    path("rules/", rules.rules),
    path("healthz", views.healthz),
]

# A link and its preview: the same page with the same parts.
for below in ("s/<slug:token>/", "sessions/<slug:session>/shared-view/"):
    urlpatterns += [
        path(below, sharing.shared_page),
        path(f"{below}markers", sharing.shared_markers),
        path(f"{below}lanes/<int:lane>/bytes", sharing.shared_bytes),
        path(f"{below}lanes/<int:lane>/media/<int:part>", sharing.shared_media),
        path(f"{below}lanes/<int:lane>/preview/", sharing.shared_preview),
        path(f"{below}lanes/<int:lane>/lens/<slug:format>", sharing.shared_lens),
        path(f"{below}lanes/<int:lane>/lens/<slug:format>.sse", sharing.shared_lens_stream),
    ]

# The stubs know views alone, Channels routes ASGI applications.
websocket_urlpatterns = [
    path("ws/sessions/<slug:session>/", watch_session),  # type: ignore[arg-type]
    path("ws/sessions/<slug:session>/shared-view/", watch_preview),  # type: ignore[arg-type]
    path("ws/s/<slug:token>/", watch_shared),  # type: ignore[arg-type]
    re_path("", no_such_socket),  # type: ignore[arg-type]
]
