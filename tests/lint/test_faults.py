"""Legal streams have no finding; one fault, and its rule has one."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from playground.lint.rules import RULES
from tests.support.faults import BYTES, FAULTS
from tests.support.legal import LEGAL, wire
from tests.support.linted import findings, found, walked
from tests.support.streams import CASES, cut_at_random, expected


@pytest.mark.parametrize("format", LEGAL)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_legal_stream_has_no_finding(format, data):
    body = wire(data.draw(LEGAL[format]))
    assert found(body, format) == []
    assert findings(walked(cut_at_random(body, data.draw(st.integers(0, 9))), None)[0]) == []


@pytest.mark.parametrize(("format", "rule"), [(format, rule) for format in FAULTS for rule in FAULTS[format]])
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_a_fault_breaks_its_rule(format, rule, data):
    broken = FAULTS[format][rule](data.draw, data.draw(LEGAL[format]))
    assume(broken is not None)
    assert rule in found(wire(broken), format)


@pytest.mark.parametrize("format", LEGAL)
@pytest.mark.parametrize("rule", BYTES)
@settings(max_examples=4, deadline=None)
@given(st.data())
def test_broken_bytes_break_their_rule(format, rule, data):
    body = wire(data.draw(LEGAL[format]))
    blocks = [0, *(at + 2 for at in range(len(body)) if body.startswith(b"\n\n", at))]
    broken = BYTES[rule](body, data.draw(st.sampled_from(blocks)))
    assert rule in found(broken, format)
    assert rule in findings(walked(cut_at_random(broken, data.draw(st.integers(0, 9))), format)[0])


def test_every_rule_is_broken_by_a_test():
    golden = {rule for case in CASES for rule in expected(case)["findings"]}
    timed_and_summed = {rule.id for rule in RULES.values() if rule.where[0] in ("time", "sums")}  # test_checks.py
    faults = {rule for format in FAULTS for rule in FAULTS[format]}
    assert RULES.keys() == golden | timed_and_summed | faults | BYTES.keys()
