"""Error documents and error lines of any vendor's shape."""

import pytest

from playground.formats.documents import Errors
from playground.sse.rows import Row


def messages(updates):
    return [update[3]["message"] for update in updates if update[0] == "open"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"error": {"message": "no such model", "code": 404}}, ["no such model"]),
        ({"type": "error", "error": {"type": "api_error", "message": "late"}, "request_id": "r"}, ["late"]),
        ({"error": "gone"}, ["gone"]),
        ({"error": {"code": 5}}, ['{"code":5}']),
        ({"error": {}}, []),
        ({"error": None}, []),
        ({"object": "error", "message": "too long", "code": 400}, ["too long"]),
        ({"message": "Too many requests"}, ["Too many requests"]),
        ({"detail": "Not Found"}, ["Not Found"]),
        ({"detail": [{"loc": ["body"], "msg": "field required", "type": "missing"}]}, ["field required"]),
        ({"success": False, "errors": [{"code": 1, "message": "a"}, {"code": 2, "message": "b"}]}, ["a", "b"]),
        ({"queue": 3}, []),
    ],
)
def test_an_error_document_says_its_message(document, expected):
    assert messages(Errors().document(document, answer=False)) == expected


def test_an_answer_has_an_error_only_when_it_says_so():
    assert Errors().document({"detail": "x", "choices": []}, answer=True) == []
    assert messages(Errors().document({"error": "x", "choices": []}, answer=True)) == ["x"]


def test_a_message_that_comes_again_is_a_link_to_its_part():
    errors = Errors()
    first = errors.say({"message": "busy", "code": 1})
    assert first == ("open", ("error", 0), "error", {"message": "busy", "raw": {"message": "busy", "code": 1}}, "END")
    assert errors.say("busy") == ("link", ("error", 0))
    assert errors.close() == [("close", ("error", 0))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('error: {"code":400,"message":"too long"}', ["too long"]),
        ('error:{"error":{"message":"too long"}}', ["too long"]),
        ("error: out of memory", ["out of memory"]),
        ("error: ", []),
        ("error", []),
    ],
)
def test_an_error_line_says_its_message(line, expected):
    name = line.partition(":")[0]
    assert messages(Errors().line(Row(1, "ignored", 0, len(line), 1, None, name, line))) == expected


def test_other_lines_say_nothing():
    assert Errors().line(Row(1, "ignored", 0, 9, 1, None, "errors", "errors: x")) == []
    assert Errors().line(Row(1, "comment", 0, 9, 1, None, "", "error: x")) == []
