"""Cron texts as each dialect means them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpmn.cron import is_cron, parse_cron
from tests.bpmn.files import HEAD, element

BEGIN = datetime(2026, 1, 1, 10, 2, tzinfo=UTC)  # a Thursday
QUARTZ, UNIX = True, False


@pytest.mark.parametrize(
    ("text", "quartz", "then"),
    [
        ("0 0/5 * * * ?", QUARTZ, datetime(2026, 1, 1, 10, 5)),
        ("*/5 * * * *", QUARTZ, datetime(2026, 1, 1, 10, 5)),
        ("0/5 0/1 * 1/1 * ?", QUARTZ, datetime(2026, 1, 1, 10, 2, 5)),
        ("0 0 9 ? * 2-6", QUARTZ, datetime(2026, 1, 2, 9)),
        ("0 0 9 ? * 1", QUARTZ, datetime(2026, 1, 4, 9)),
        ("0 0 9 * * 1", UNIX, datetime(2026, 1, 5, 9)),
        ("0 0 9 * * 0,6", UNIX, datetime(2026, 1, 3, 9)),
        ("0 0 9 * * 7", UNIX, datetime(2026, 1, 4, 9)),
        ("0 9 * * 5", QUARTZ, datetime(2026, 1, 2, 9)),
        ("0 0 9 ? * MON-WED", QUARTZ, datetime(2026, 1, 5, 9)),
        ("0 0 9 ? * 6L", QUARTZ, datetime(2026, 1, 30, 9)),
        ("0 0 9 ? * friL", QUARTZ, datetime(2026, 1, 30, 9)),
        ("0 0 9 ? * 6#3", QUARTZ, datetime(2026, 1, 16, 9)),
        ("0 0 12 L * ?", QUARTZ, datetime(2026, 1, 31, 12)),
        ("0 0 12 LW * ?", QUARTZ, datetime(2026, 1, 30, 12)),
        ("0 0 12 lw 2,5 ?", QUARTZ, datetime(2026, 2, 27, 12)),
        ("0 0 12 LW 5 ? 2027", QUARTZ, datetime(2027, 5, 31, 12)),
        ("0 0 12 L-3 * ?", QUARTZ, datetime(2026, 1, 28, 12)),
        ("0 0 12 l-3 2 ?", QUARTZ, datetime(2026, 2, 25, 12)),
        ("0 0 12 L-30 * ?", QUARTZ, datetime(2026, 1, 1, 12)),
        ("0 0 10 L-30 * ?", QUARTZ, datetime(2026, 3, 1, 10)),
        ("0 0 12 L-3W 2 ? 2027", QUARTZ, datetime(2027, 2, 25, 12)),
        ("0 0 12 L-1W 5 ? 2027", QUARTZ, datetime(2027, 5, 31, 12)),
        ("0 0 12 L-29W 2 ?", QUARTZ, None),
        ("0 0 12 L-30W 8 ? 2026", QUARTZ, datetime(2026, 8, 3, 12)),
        ("0 0 12 15W * ?", QUARTZ, datetime(2026, 1, 15, 12)),
        ("0 0 0 25 12 ? 2028-2030", QUARTZ, datetime(2028, 12, 25)),
        ("0 0 0 1 1 ? 2027/2", QUARTZ, datetime(2027, 1, 1)),
        ("0 0 0 13 * FRI", UNIX, datetime(2026, 2, 13)),
        ("0 0 13 * FRI", UNIX, datetime(2026, 1, 2)),
        ("0 0 0 29 2 ?", QUARTZ, datetime(2028, 2, 29)),
        ("@daily", UNIX, datetime(2026, 1, 2)),
        ("@weekly", QUARTZ, datetime(2026, 1, 4)),
        ("0 0 0 30 2 ?", QUARTZ, None),
        ("0 0 0 1 1 ? 2020", QUARTZ, None),
    ],
)
def test_when_it_comes_next(text: str, quartz: bool, then: datetime | None) -> None:
    assert parse_cron(text, quartz=quartz).after(BEGIN) == (None if then is None else then.replace(tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "99 * * * * ?", "a b c d e", "0 0 9 ? * 8", "0 0 9 ? * 0", "0 0 12 LW 13 ?",
        "0 0 12 L-31 * ?", "0 0 12 L-x * ?", "0 0 0 1 1 ? 9", "@never", "* * * *",
    ],
)
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"cron|day of the week"):
        parse_cron(text, quartz=True)


@given(st.text("0123456789*?,/#-LW ASUNMO@", max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    assert isinstance(is_cron(text), bool)
    try:
        found = parse_cron(text, quartz=True).after(BEGIN)
    except ValueError:
        return
    assert found is None or found > BEGIN


def _timer(namespaces: str) -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {namespaces} targetNamespace="t"><process '
        'id="p"><startEvent id="a"><timerEventDefinition><timeCycle>0 0 9 ? * 1</timeCycle></timerEventDefinition>'
        '</startEvent><endEvent id="e"/><sequenceFlow id="f" sourceRef="a" targetRef="e"/></process></definitions>'
    ).encode()


def test_camunda_8_counts_days_as_unix_does_and_all_others_as_quartz() -> None:
    assert "zeebe" in HEAD
    for namespaces, quartz in (("", True), ('xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"', False)):
        event = element(_timer(namespaces)).event
        assert event is not None
        assert event.timer is not None
        assert event.timer.quartz is quartz
