"""`manage.py play`: make or update the database, then serve the playground until Ctrl+C."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from playground.management.serving import serve

ALL_INTERFACES = {"0.0.0.0", "::"}


class Command(BaseCommand):
    help = "Serve the stream playground: migrates the database first, needs nothing else."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine alone)")
        parser.add_argument(
            "--port", type=int, default=8000, help="port to listen on (default 8000, 0 takes a free one)"
        )

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        with listen(host, port) as listening:
            address = page_address(host, listening.getsockname()[1])
            prepare_database()
            open_to_network(host) if not is_loopback(host) else None
            if "PLAYGROUND_GATEWAY_URL" not in os.environ:
                inside = "127.0.0.1" if host in ALL_INTERFACES else host
                settings.GATEWAY_URL = f"{page_address(inside, listening.getsockname()[1])}v1"
            token = f"?token={settings.ACCESS_TOKEN}" if settings.ACCESS_TOKEN else ""
            self.stdout.write(f"Stream Playground on {address}{token}   (Ctrl+C stops it)")
            self.stdout.flush()
            serve(listening)
        self.stdout.write("Stopped.")


def listen(host: str, port: int) -> socket.socket:
    """The listening socket; CommandError with what to do when it cannot be had."""
    if not 0 <= port <= 65535:
        raise CommandError(f"--port {port} is no port: take one from 1 to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except socket.gaierror as error:
        raise CommandError(f"--host {host} is no address of this machine ({error.strerror}).") from error
    except OSError as error:
        raise CommandError(
            f"Port {port} on {host} cannot be used ({os.strerror(error.errno or 0)}): "
            f"stop what listens there, or take another with --port {port + 1}."
        ) from error


def prepare_database() -> None:
    """Migrate; CommandError with the database's address (without its password) when it cannot be opened."""
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except (DatabaseError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise CommandError(
            f"The database {database_name()} cannot be opened ({reason}): "
            "see that it is there and may be written, or name another in DATABASE_URL."
        ) from error
    finally:
        connection.close()


def database_name() -> str:
    place = connection.settings_dict
    return str(place["NAME"]) + (f" on {place['HOST']}" if place.get("HOST") else "")


def open_to_network(host: str) -> None:
    """Whoever may reach the port from elsewhere needs the access token that `play` prints."""
    settings.ACCESS_TOKEN = settings.ACCESS_TOKEN or secrets.token_urlsafe(24)
    if "ALLOWED_HOSTS" not in os.environ:
        settings.ALLOWED_HOSTS = ["*"]


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def page_address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
