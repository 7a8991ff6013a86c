"""`manage.py read`: what it prints and how it exits."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from playground.management.sarif import Lines
from tests.support import sarif_schema
from tests.support.streams import CASES, FOLDER, body, cut_at_random, expected

ROOT = Path(__file__).resolve().parent.parent.parent
CUT, CLEAN, WARNED, TOLD = "chat-truncated-mid-tool", "ref-chat-text", "chat-no-done", "chat-role-every-chunk"


def read(*arguments):
    out = io.StringIO()
    call_command("read", *arguments, stdout=out)
    return out.getvalue()


def exit_status(*arguments):
    """How the command exits. Its output is thrown away."""
    try:
        call_command("read", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    except SystemExit as stop:
        return stop.code
    except CommandError as error:
        return error.returncode
    return 0


def path(case):
    return str(FOLDER / case)


# The exit status


@pytest.mark.parametrize(
    ("case", "options", "status"),
    [
        (CLEAN, [], 0),
        (CUT, [], 1),
        (WARNED, [], 1),
        (WARNED, ["--fail-on", "error"], 0),
        (TOLD, [], 0),
        (TOLD, ["--fail-on", "info"], 1),
        (CUT, ["--fail-on", "error"], 1),
        (WARNED, ["--ignore", "missing-done"], 0),
        (CUT, ["--ignore", "missing-done", "--ignore", "missing-finish-reason"], 1),
    ],
)
def test_with_strict_the_findings_decide_the_exit_status(case, options, status):
    assert exit_status(path(case), "--strict", *options) == status
    assert exit_status(path(case), "--strict", "--json", *options) == status
    assert exit_status(path(case), "--strict", "--sarif", *options) == status


def test_without_strict_findings_do_not_matter():
    assert exit_status(path(CUT)) == 0


def test_one_bad_path_among_good_ones_is_enough():
    assert exit_status(path(CLEAN), path(CUT), "--strict") == 1


def test_what_cannot_be_read_exits_with_2(tmp_path):
    assert exit_status(str(tmp_path / "nothing"), "--strict") == 2
    assert exit_status(str(tmp_path), "--strict") == 2


def test_a_rule_that_there_is_not_is_named():
    with pytest.raises(CommandError, match=r"no rule missing-dome; docs/rules\.md lists them") as caught:
        read(path(CLEAN), "--ignore", "missing-dome")
    assert caught.value.returncode == 2


# What it prints


@pytest.mark.parametrize("case", CASES)
def test_json_has_the_findings_of_expect_json(case):
    said = json.loads(read(path(case), "--json"))
    assert said["findings"] == expected(case)["findings"]
    assert sorted(detail["rule"] for detail in said["details"]) == said["findings"]


def test_ignored_rules_are_left_out_everywhere():
    assert "missing-done" not in read(path(WARNED), "--ignore", "missing-done")
    assert json.loads(read(path(WARNED), "--json", "--ignore", "missing-done"))["findings"] == []
    assert json.loads(read(path(WARNED), "--sarif", "--ignore", "missing-done"))["runs"][0]["results"] == []


def test_people_see_the_worst_findings_first_with_their_rows():
    lines = read(path(CUT)).splitlines()
    assert "findings    2 errors, 1 warning" in lines
    assert [line.split()[1] for line in lines if line.startswith(("error", "warning"))] == [
        "missing-finish-reason",
        "tool-arguments-invalid-json",
        "missing-done:",
    ]
    assert read(path(CLEAN)).splitlines()[-1] == "findings    none"


def test_a_terminal_gets_nothing_to_obey(tmp_path):
    stream = tmp_path / "stream"
    stream.write_text(
        'data: {"choices":[{"index":0,"delta":{"content":"a\\u001b[2Jb"},"finish_reason":"\\u0007"}]}\n\n'
    )
    printed = read(str(stream))
    assert "\x1b" not in printed
    assert "\x07" not in printed
    assert "a\\x1b[2Jb" in printed


# SARIF


@pytest.mark.parametrize("case", CASES)
def test_sarif_is_valid_and_has_a_result_for_each_rule(case):
    log = json.loads(read(path(case), "--sarif"))
    assert sarif_schema.faults(log) == []
    (run,) = log["runs"]
    assert sorted(result["ruleId"] for result in run["results"]) == expected(case)["findings"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_the_schema_refuses_what_is_no_sarif():
    log = json.loads(read(path(CUT), "--sarif"))
    log["runs"][0]["results"][0]["level"] = "info"
    log["runs"][0]["results"][0]["rule"] = "x"
    del log["runs"][0]["tool"]
    assert len(sarif_schema.faults(log)) == 3


def test_sarif_points_to_the_line_of_the_row():
    (result,) = json.loads(read(path("chat-nan-in-chunk"), "--sarif"))["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    lines = body("chat-nan-in-chunk").splitlines()
    assert b"NaN" in lines[region["startLine"] - 1]
    assert b"NaN" in body("chat-nan-in-chunk")[region["byteOffset"] :][: region["byteLength"]]


def test_several_paths_make_one_log():
    log = json.loads(read(path(CUT), path(WARNED), "--sarif"))
    (run,) = log["runs"]
    assert sarif_schema.faults(log) == []
    assert [artifact["location"]["uri"].rpartition("/streams/")[2] for artifact in run["artifacts"]] == [
        f"{CUT}/stream.sse",
        f"{WARNED}/stream.sse",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_the_same_however_the_body_is_cut(seed):
    whole = b"a\r\nb\rc\n\n\r\n\r\rd\n\r\ne"
    lines = Lines()
    for piece in cut_at_random(whole, seed):
        lines.feed(piece)
    starts = [0]
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for offset in range(len(whole)):
        assert lines.line(offset) == sum(start <= offset for start in starts)


# A pipe


def test_a_pipe_is_shown_as_it_comes():
    whole = body("resp-text-replaced-by-done")
    middle = whole.index(b"event: response.output_text.done")
    command = [sys.executable, "-u", str(ROOT / "manage.py"), "read", "-", "--strict"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as running:
        running.stdin.write(whole[:middle])
        running.stdin.flush()
        said = b""
        while b"Rough copy" not in said:
            more = running.stdout.read1()
            assert more, said
            said += more
        assert b"done-mismatch" not in said
        rest, _ = running.communicate(whole[middle:], timeout=60)
    printed = (said + rest).decode()
    assert printed.index("Fair copy") < printed.index("done-mismatch") < printed.index("ended · responses")
    assert running.returncode == 1


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-u", str(ROOT / "manage.py"), "read", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdin.write(body(CUT))
        running.stdin.flush()
        assert running.stdout.read1()
        running.stdout.close()
        running.stdin.write(body(CLEAN) * 20)
        running.stdin.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 141
