"""All settings, from the environment; the defaults run on one machine for one person."""

import os
import secrets
from pathlib import Path

import environ

from playground.lint import thresholds

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def _kept_secret(path: Path) -> str:
    """A secret key that is made once and kept beside the database, readable by its owner alone."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text().strip()


DATABASE_URL = env("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")
if DATABASE_URL.partition("://")[0] not in environ.Env.DB_SCHEMES:
    raise SystemExit("DATABASE_URL is no address of a database: write sqlite:///PATH or postgres://USER@HOST/NAME.")
DATABASES = {"default": env.db_url_config(DATABASE_URL)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SECRET_KEY = env("SECRET_KEY", default="") or _kept_secret(BASE_DIR / "secret-key")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])

INSTALLED_APPS = [
    "daphne",
    "channels",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "playground.recordings",
    "playground.gateway",
    "playground",
]
MIDDLEWARE = [
    "playground.gateway.middleware.VendorAnswers",
    "django.middleware.security.SecurityMiddleware",
    "playground.web.middleware.ContentSecurityPolicy",
    "playground.web.middleware.AccessToken",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
]
CSRF_FAILURE_VIEW = "playground.web.views.csrf_failure"
ROOT_URLCONF = "playground.urls"
ASGI_APPLICATION = "playground.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"builtins": ["playground.web.joined_files"]},
    }
]


def channel_layers(redis_url: str) -> dict[str, dict[str, object]]:
    """Over Redis when several servers share sessions, else in memory."""
    if not redis_url:
        return {"default": {"BACKEND": "playground.live.layer.MemoryLayer"}}
    # The layer waits for messages 5 s at a time, which is as long as the Redis client waits for an answer unless told.
    host = {"address": redis_url, "socket_timeout": 30}
    return {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [host]}}}


REDIS_URL = env("REDIS_URL", default="")
CHANNEL_LAYERS = channel_layers(REDIS_URL)

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 0

# Who writes addresses into the log.
_WRITERS = ("django.request", "django.channels.server", "daphne.server", "daphne.http_protocol", "daphne.ws_protocol")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_tokens": {"()": "playground.web.quiet_log.WithoutTokens"}},
    "loggers": {name: {"filters": ["without_tokens"]} for name in _WRITERS},
}

USE_TZ = True
TIME_ZONE = "UTC"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024

IMPORT_BYTES = env.int("PLAYGROUND_IMPORT_BYTES", default=512 * 1024 * 1024)

# Relaying. Seconds, bytes, and how many lanes may stream at once.
CONNECT_TIMEOUT = env.float("PLAYGROUND_CONNECT_TIMEOUT", default=10)
FIRST_BYTE_TIMEOUT = env.float("PLAYGROUND_FIRST_BYTE_TIMEOUT", default=120)
IDLE_TIMEOUT = env.float("PLAYGROUND_IDLE_TIMEOUT", default=120)
AFTER_END_SILENCE = 2.0
LANE_BYTES = env.int("PLAYGROUND_LANE_BYTES", default=256 * 1024 * 1024)
LANES_AT_ONCE = env.int("PLAYGROUND_LANES_AT_ONCE", default=64)
ALLOW_LOOPBACK = env.bool("PLAYGROUND_ALLOW_LOOPBACK", default=True)
ALLOW_PRIVATE = env.bool("PLAYGROUND_ALLOW_PRIVATE", default=False)

# How much is too much for the rules over time and sums: PLAYGROUND_LINT_STALL=5 and others, lint/thresholds.py.
try:
    THRESHOLDS = thresholds.chosen(os.environ)
except ValueError as problem:
    raise SystemExit(str(problem)) from None

# The built-in gateway: what every key may spend, which models are real ones elsewhere (gateway/routes.py), and the
# origins (https://host) whose pages may call it.
GATEWAY_BALANCE_CENTS = env.int("PLAYGROUND_GATEWAY_BALANCE_CENTS", default=100_000)
GATEWAY_ORIGINS = env.list("PLAYGROUND_GATEWAY_ORIGINS", default=[])
GATEWAY_ROUTES = env.json("PLAYGROUND_GATEWAY_ROUTES", default=[])

# Where the page finds the built-in gateway; `play` sets it to the address it serves.
GATEWAY_URL = env("PLAYGROUND_GATEWAY_URL", default="http://127.0.0.1:8000/v1")
ACCESS_TOKEN = env("PLAYGROUND_ACCESS_TOKEN", default="")
