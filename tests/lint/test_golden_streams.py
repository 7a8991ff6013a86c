"""Every golden stream gives exactly its findings, however its body is cut and whoever names its format."""

import pytest

from tests.support.linted import findings, told, walked
from tests.support.streams import CASES, body, bytewise, cut, cut_at_random, expected, recorded_cuts

LONG = 100_000  # bodies above are not fed byte by byte


def cuttings(case):
    whole = body(case)
    yield [whole]
    yield cut(whole, recorded_cuts(case))
    yield cut_at_random(whole, seed=11)
    yield cut_at_random(whole, seed=12)
    if len(whole) < LONG:
        yield bytewise(whole)


@pytest.mark.parametrize("case", CASES)
def test_a_golden_stream_gives_exactly_its_findings(case):
    for pieces in cuttings(case):
        for format in (expected(case)["format"], None):
            pipeline, steps = walked(pieces, format)
            assert findings(pipeline) == expected(case)["findings"]
            assert told(steps) == expected(case)["findings"]


@pytest.mark.parametrize("case", CASES)
def test_a_finding_has_the_same_rows_however_the_body_is_cut(case):
    format = expected(case)["format"]
    once = [(one.rule.id, one.count, list(one.rows), one.examples) for one in walked([body(case)], format)[0].findings]
    for pieces in cuttings(case):
        pipeline, _ = walked(pieces, format)
        again = [(one.rule.id, one.count, list(one.rows), one.examples) for one in pipeline.findings]
        assert sorted(again) == sorted(once)


@pytest.mark.parametrize("case", CASES)
def test_a_finding_points_to_rows_bytes_and_parts_that_exist(case):
    pipeline, steps = walked([body(case)], expected(case)["format"])
    rows = {row.number: row for step in steps for row in step.rows}
    parts = {part.number for part in pipeline.transcript}
    for finding in pipeline.findings:
        assert set(finding.rows) <= rows.keys()
        for example in finding.examples:
            assert example.part is None or example.part in parts
            assert example.end is None or 0 <= example.start <= example.end <= len(body(case))


@pytest.mark.parametrize("case", CASES)
def test_linting_changes_nothing_that_is_shown(case):
    format = expected(case)["format"]
    linted, steps = walked([body(case)], format)
    plain, plain_steps = walked([body(case)], format, lint=False)
    assert linted.said() == plain.said()
    assert [step.operations for step in steps] == [step.operations for step in plain_steps]
