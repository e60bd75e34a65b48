"""What a reader finds in summaries of different kinds of values."""

from __future__ import annotations

import json
import random
import re

import pytest

from governance.ports import Summariser
from governance.summaries import summary
from governance.summaries.kinds import JSON
from governance.summaries.summary import key_only, summarise
from tests.governance.summaries.samples import CHINESE, REPORT, flights, service_log


def test_the_module_is_a_summariser() -> None:
    port: Summariser = summary
    assert port.summarise("whole", query="", limit=10) == "whole"


def test_prose_answers_the_query() -> None:
    text = summarise(REPORT, query="Which certificate was not installed, and when was it?", limit=400)
    assert "gw-2024-17 had been renewed, e.g. in the test environment, but never installed in production." in text
    assert "It was installed at 03:31." in text
    assert "canteen" not in text


def test_prose_marks_every_cut_and_keeps_headings() -> None:
    text = summarise(REPORT, query="how are certificates renewed from now on", limit=260)
    assert text.startswith("…")
    assert "## Decision\n\nFrom now on certificates are renewed by a job sixty days ahead." in text


def test_prose_shows_no_heading_without_what_stands_below() -> None:
    table = "| order | reason |\n|---|---|\n" + "\n".join(f"| PO-{number} | customs office |" for number in range(30))
    advice = "Keep the supplier, but add a penalty clause for late delivery."
    text = f"## Orders\n\n{table}\n\n## Advice\n\n{advice}\n\n## Rest\n\nx."
    summary = summarise(text + REPORT, query="which penalty clause for late delivery", limit=150)
    assert f"## Advice\n\n{advice}" in summary
    assert "## Rest" not in summary
    assert "| order | reason |\n|---|---|\n| PO-0 | customs office |" in summary


def test_prose_without_a_query_begins_at_the_beginning_and_tells_figures() -> None:
    text = summarise(REPORT, query="", limit=300)
    assert "The outage began at 02:14 when a certificate on the payment gateway expired." in text
    assert "1,850" in text


def test_chinese_prose() -> None:
    text = summarise(CHINESE, query="哪个证书没有安装到生产环境", limit=70)
    assert "编号gw-2024-17的证书已经续签，但没有安装到生产环境。" in text  # noqa: RUF001
    assert "负载均衡" not in text


def test_a_table_tells_matching_rows_first_and_what_is_missing() -> None:
    lines = summarise(flights(40), query="seats and price of HAT117", limit=700).split("\n")
    assert lines[0] == "every row: status = available"
    assert lines[1].startswith("- flight_number = HAT117; origin = ")
    assert "price = 219; seats = {economy: " in lines[1]
    assert lines[2].startswith("- flight_number = HAT100; ")
    assert re.fullmatch(r"… \d+ of 40 rows left out: HAT\d+(, HAT\d+)*, …", lines[-1])


def test_an_object_of_rows_is_a_table() -> None:
    by_number = {str(row["flight_number"]): row for row in flights(20) if isinstance(row, dict)}
    lines = summarise(by_number, query="HAT117", limit=500).split("\n")
    assert lines[1].startswith("HAT117: origin = ")


@pytest.mark.parametrize("seed", range(5))
def test_the_values_of_a_row_stay_together_at_a_tenth_of_the_size(seed: int) -> None:
    chance = random.Random(seed)
    rows = flights(60)
    size = len(json.dumps(rows))
    kept = 0
    for row in chance.sample(rows, 20):
        assert isinstance(row, dict)
        text = summarise(rows, query=f"book {row['flight_number']} in economy", limit=size // 10)
        line = next((line for line in text.split("\n") if f"flight_number = {row['flight_number']};" in line), "")
        kept += f"price = {row['price']};" in line and f"departure = {row['departure']};" in line
    assert kept >= 0.95 * 20


def test_an_object_keeps_short_values_and_shares_the_rest() -> None:
    value: JSON = {
        "decision": "approve",
        "amount": 12500.0,
        "analysis": REPORT,
        "customer": {"id": "C-1001", "city": "Augsburg", "history": [f"order {number}" for number in range(100)]},
        "dump": "zz " * 400,
        "flights": flights(20),
    }
    text = summarise(value, query="was the certificate of the payment gateway installed", limit=900)
    lines = text.split("\n")
    assert "decision = approve" in lines
    assert "amount = 12500.0" in lines
    assert "customer.id = C-1001" in lines
    assert "flights:" in lines
    assert "never installed in production" in text


def test_a_long_text_in_an_object_may_begin_with_a_cut() -> None:
    value: JSON = {"id": "A-1", "report": "The canteen is closed on Friday, as everybody knows by now. " * 20 + REPORT}
    text = summarise(value, query="which certificate was never installed in production", limit=300)
    assert text.startswith("id = A-1\nreport = …")
    assert "gw-2024-17" in text


def test_facts_that_match_the_query_go_first() -> None:
    value: JSON = {f"setting_{number}": f"value {number}" for number in range(200)} | {"refund_limit": 500}
    text = summarise(value, query="refund limit", limit=120)
    assert "refund_limit = 500" in text
    assert re.search(r"… \d+ of 201 keys left out", text)


def test_missing_keys_are_named_with_their_path() -> None:
    value: JSON = {"order": {"id": "A-1", "notes": {"internal": "x" * 200, "public": "y" * 200}}, "log": "z " * 100}
    assert summarise(value, query="", limit=80) == "order.id = A-1\n… 3 of 4 keys left out: order.notes, log"


def test_json_in_a_text_is_read_as_json() -> None:
    text = json.dumps({"total": "PLACE", "items": flights(30)}).replace('"PLACE"', "1250.00")
    lines = summarise(text, query="HAT110", limit=400).split("\n")
    assert "total = 1250.00" in lines
    assert any(line.startswith("- flight_number = HAT110") for line in lines)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_separated_values_are_a_table(delimiter: str) -> None:
    text = "\n".join(delimiter.join((f"C-{n}", f"name {n}", str(n * 13.5))) for n in range(60))
    lines = summarise(delimiter.join(("id", "name", "amount")) + "\n" + text, query="C-33", limit=200).split("\n")
    assert lines[0] == "- id = C-33; name = name 33; amount = 445.5"


def test_a_markdown_table_is_a_table() -> None:
    rows = "\n".join(f"| C-{number} | {number * 3} |" for number in range(40))
    assert "- id = C-33; total = 99" in summarise(f"| id | total |\n|---|---:|\n{rows}", query="C-33", limit=120)


def test_a_log_keeps_the_failure_with_its_trace() -> None:
    text = summarise(service_log(140), query="", limit=500)
    assert "ERROR [http-4] order 55999 failed\njava.lang.NullPointerException: Cannot invoke" in text
    assert "shutdown, 1 failed" in text
    assert re.search(r"\n… \d+ of 144 lines left out$", text)


def test_a_log_finds_the_line_asked_for() -> None:
    assert "order 55123 done" in summarise(service_log(140), query="what happened to order 55123", limit=500)


def test_lists_of_short_items_stand_on_one_line_without_repeats() -> None:
    assert (
        summarise(["alpha", "beta"] * 60, query="beta", limit=60)
        == "beta, alpha\n… 118 of 120 items left out: only repeats"
    )


def test_what_cannot_be_cut_is_counted() -> None:
    assert summarise("x" * 5000, query="", limit=60) == "… 5000 of 5000 characters left out"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("The outage began at 02:14.", "k: The outage began at 02:14."),
        (12500.0, "k: 12500.0"),
        (None, "k: null"),
        ([1, 2], "k: [1, 2]"),
        ({"status": "open", "id": "A-1"}, "k: status = open; id = A-1"),
        ({}, "k: 0 keys"),
    ],
)
def test_key_only_of_small_values(value: JSON, shown: str) -> None:
    assert key_only("k", value) == shown


def test_key_only_tells_size_and_columns_of_a_table() -> None:
    assert key_only("flights", flights(40)) == (
        "flights: 40 rows of flight_number, origin, destination, departure, status, price, seats"
    )


def test_key_only_of_a_log_tells_its_length() -> None:
    assert key_only("log", service_log(20)).startswith("log: 24 lines: 2026-04-11 09:00:00 INFO")
