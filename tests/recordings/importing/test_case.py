"""Case folders: as a zip, as files that were dropped together; and zips that are something else."""

from __future__ import annotations

import io
import zipfile

import pytest

from playground.recordings.importing import ImportRefused, read_together
from tests.support.imported import Imported, add, imported, zipped
from tests.support.streams import CASES, FOLDER, body, recorded_cuts

EVENT = b"data: one\n\n"
CASE = {
    "stream.sse": EVENT + EVENT,
    "chunks.json": b"[5, 11]",
    "http.json": b'{"status": 206, "headers": {"x-a": "b"}}',
}


def together(files: dict[str, bytes]) -> Imported:
    found = Imported()
    for record in read_together({name: io.BytesIO(content) for name, content in files.items()}):
        add(found, record)
    return found


@pytest.mark.parametrize("folder", ["", "case/", "deep/er/"])
def test_a_zipped_case_has_its_cuts_and_its_head(folder: str) -> None:
    found = imported(zipped({folder + name: content for name, content in CASE.items()}), "case.zip")
    head = found.heads[0].head
    assert (head.status, head.headers) == (206, (("x-a", "b"),))
    assert found.body == EVENT + EVENT
    assert len(found.times[0]) == 3
    assert "times" in found.notes
    assert "status and headers" not in found.notes


def test_the_same_files_dropped_together_are_the_same() -> None:
    assert together({f"case/{name}": content for name, content in CASE.items()}).times == imported(zipped(CASE)).times


def test_several_folders_are_several_lanes() -> None:
    found = imported(zipped({"b/stream.sse": b"data: b\n\n", "a/stream.sse": b"data: a\n\n", "readme.txt": b"x"}))
    assert found.bodies == {0: b"data: a\n\n", 1: b"data: b\n\n"}


@pytest.mark.parametrize("case", [case for case in CASES if recorded_cuts(case)])
def test_golden_streams_keep_the_cuts_of_their_network(case: str) -> None:
    files = {path.name: path.read_bytes() for path in (FOLDER / case).iterdir()}
    found = imported(zipped(files))
    assert found.body == body(case)
    assert len(found.times[0]) == len({*recorded_cuts(case), len(body(case))} - {0})


def test_a_zip_with_one_file_of_another_kind_is_that_file() -> None:
    found = imported(zipped({"a.txt": b"HTTP/1.1 200 OK\r\n\r\ndata: x\n\n", "__MACOSX/._a.txt": b"?"}))
    assert (found.heads[0].head.status, found.body) == (200, b"data: x\n\n")


def test_other_zips_are_refused_with_a_word_on_what_to_do() -> None:
    with pytest.raises(ImportRefused, match=r"no stream\.sse among them"):
        imported(zipped({"a.txt": b"data: x\n\n", "b.txt": b"data: y\n\n"}))
    with pytest.raises(ImportRefused, match="cannot be unpacked"):
        imported(zipped(CASE)[:-30])
    with pytest.raises(ImportRefused, match="no text"):
        imported(zipped({"inner.zip": zipped(CASE)}))
    damaged = bytearray(zipped(CASE))
    damaged[45] ^= 255
    with pytest.raises(ImportRefused):
        imported(bytes(damaged))


def test_a_zip_bomb_is_refused_long_before_it_is_unpacked() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("stream.sse", "w") as member:
        for _ in range(256):
            member.write(b"data: \n\n" * 8192)
    with pytest.raises(ImportRefused, match="unpacks to far more") as refused:
        imported(packed.getvalue())
    assert refused.value.code == "zip-bomb"


@pytest.mark.parametrize("name", ["http.json", "chunks.json"])
@pytest.mark.parametrize("content", [b"3", b"{", b'[{"a":1}]', b'{"status": "x"}', b'{"headers": []}', b"[1.5]"])
def test_files_that_are_not_what_they_should_be_are_named(name: str, content: bytes) -> None:
    with pytest.raises(ImportRefused, match=name):
        imported(zipped({"stream.sse": EVENT, name: content}))


def test_files_that_are_no_case_are_asked_for_one_at_a_time() -> None:
    with pytest.raises(ImportRefused, match="one file at a time"):
        together({"a.sse": EVENT, "b.sse": EVENT})
