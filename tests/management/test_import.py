"""manage.py import: files, folders and pipes become sessions; what cannot be kept is said on standard error."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from playground.recordings.models import Session
from tests.support.streams import FOLDER

pytestmark = pytest.mark.django_db

EVENT = b"data: one\n\n"


def run(path: str, **options: str) -> Session:
    printed = io.StringIO()
    call_command("import", path, stdout=printed, stderr=io.StringIO(), **options)
    address = printed.getvalue().strip()
    assert address.startswith("/sessions/")
    return Session.objects.get(pk=address.split("/")[2])


def test_a_file_becomes_a_session_called_after_it(tmp_path: Path) -> None:
    (tmp_path / "tide.sse").write_bytes(EVENT)
    session = run(str(tmp_path / "tide.sse"))
    assert (session.title, session.lanes.get().size) == ("tide.sse", len(EVENT))


def test_a_case_folder_is_one_lane() -> None:
    session = run(str(FOLDER / "chat-truncated-mid-tool"), title="A case")
    assert (session.title, session.lanes.get().word) == ("A case", "cut")


def test_a_pipe_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"HTTP/2 200 \n\n" + EVENT)))
    assert run("-").lanes.get().status == 200


def test_the_kind_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'{"data":"one"}\n')
    assert run(str(tmp_path / "x"), kind="jsonl").lanes.get().size == len(EVENT)


def test_what_cannot_be_kept_is_refused_with_the_files_name(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b"<html></html>")
    with pytest.raises(CommandError, match="web page") as refused:
        run(str(tmp_path / "page"))
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match=r"without stream\.sse"):
        run(str(tmp_path))
    with pytest.raises(CommandError, match="No such file"):
        run(str(tmp_path / "nothing"))
