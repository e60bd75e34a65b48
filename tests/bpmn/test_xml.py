"""The hardened XML pass."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bpmn.errors import BpmnError, LimitExceeded, NotBpmn, NotXml, UnsafeXml
from bpmn.load import load
from bpmn.reader.source import Limits
from tests.bpmn.files import HEAD, chain, element

NAMED = f'{HEAD}><process id="p"><startEvent id="s" name="Größe, ähm"/></process></definitions>'


@pytest.mark.parametrize(
    "data",
    [
        NAMED.encode(),
        b"\xef\xbb\xbf" + NAMED.encode(),
        b'<?xml version="1.0" encoding="windows-1252"?>' + NAMED.encode("cp1252"),
        b'<?xml version="1.0" encoding="WINDOWS-1252" standalone="yes"?>\r\n' + NAMED.encode("cp1252"),
        b'\xef\xbb\xbf<?xml version="1.0" encoding="windows-1252"?>' + NAMED.encode(),
        b'<?xml version="1.0" encoding="UTF-16"?>'.decode().encode("utf-16") + NAMED.encode("utf-16")[2:],
        NAMED.encode("utf-16"),
    ],
    ids=["utf-8", "bom", "windows-1252", "upper case", "bom and windows-1252", "utf-16", "utf-16 by its mark"],
)
def test_encodings(data: bytes) -> None:
    start = load(data, file="a.bpmn").definition.processes["p"].scope.elements["s"]
    assert start.name == "Größe, ähm"


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"{}", NotXml, "Start tag expected"),
        (b"\0\0\0", NotXml, "not well-formed"),
        (chain()[:-5], NotXml, "not well-formed"),
        (chain() + chain(), NotXml, "Extra content"),
        (f"{HEAD}>&nbsp;</definitions>".encode(), NotXml, "Entity 'nbsp' not defined"),
        (b'<?xml version="1.0" encoding="UTF-8"?>' + NAMED.encode("cp1252"), NotXml, "Invalid bytes"),
        (b'<?xml version="1.0" encoding="klingon"?>' + NAMED.encode(), NotXml, "Unsupported encoding"),
        (b"<html/>", NotBpmn, "html without a namespace"),
        (b'<d:definitions xmlns:d="http://schema.omg.org/spec/BPMN/1.0"/>', NotBpmn, "spec/BPMN/1.0"),
        (b'<process xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>', NotBpmn, "found process"),
        (b"<!DOCTYPE a>" + chain(), UnsafeXml, "DOCTYPE"),
    ],
)
def test_what_is_refused(data: bytes, error: type[BpmnError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        load(data, file="a.bpmn")
    assert caught.value.line is not None


def test_the_line_of_a_syntax_error() -> None:
    with pytest.raises(NotXml) as caught:
        load(b"<a>\n<b>\n</a>", file="a.bpmn")
    assert caught.value.line == 3


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol" * 10}">' for n in range(15))
    for subset, use in (
        (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', "&x;"),
        (levels, "&l14;"),
        ('<!ENTITY % x SYSTEM "http://192.0.2.1/x.dtd"> %x;', ""),
    ):
        for inside in (f"{HEAD}>{use}</definitions>", f'{HEAD} name="{use}"/>'):
            with pytest.raises(BpmnError) as caught:
                load(f"<!DOCTYPE definitions [{subset}]>{inside}".encode(), file="a.bpmn")
            assert "SECRET" not in str(caught.value)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(UnsafeXml):
        load(b'<!DOCTYPE d SYSTEM "http://192.0.2.1/x.dtd">' + chain(), file="a.bpmn")
    data = chain('<task id="a"/>', beside='<import importType="x" location="http://192.0.2.1/y" namespace="z"/>')
    assert not load(data, file="a.bpmn").errors


def test_text_that_looks_like_a_doctype_is_text() -> None:
    script = "<script><![CDATA[a = '<!DOCTYPE html>']]></script>"
    assert element(chain(f'<scriptTask id="a">{script}</scriptTask>')).script is not None


def test_depth_is_limited() -> None:
    def nested(levels: int) -> bytes:
        return chain(f'<task id="a"><extensionElements>{"<x>" * levels}{"</x>" * levels}</extensionElements></task>')

    assert not load(nested(196), file="a.bpmn").errors
    for levels in (197, 300, 100_000):
        with pytest.raises(LimitExceeded, match=r"nested too deep.*200 levels"):
            load(nested(levels), file="a.bpmn")


def test_the_number_of_elements_is_limited() -> None:
    data = chain('<task id="a"><extensionElements>' + "<x/>" * 100 + "</extensionElements></task>")
    assert not load(data, file="a.bpmn", limits=Limits(elements=200)).errors
    with pytest.raises(LimitExceeded, match=r"too many XML elements.*at most 100"):
        load(data, file="a.bpmn", limits=Limits(elements=100))


def test_a_huge_text_is_limited() -> None:
    with pytest.raises(LimitExceeded, match="limits of the XML parser"):
        load(chain(f'<task id="a"><documentation>{"x" * 11_000_000}</documentation></task>'), file="a.bpmn")


def test_sub_processes_are_nested_so_deep_and_no_deeper() -> None:
    def nested(levels: int) -> bytes:
        inner = ""
        for level in range(levels):
            inner = f'<subProcess id="n{level}"><startEvent id="s{level}"/>{inner}</subProcess>'
        return chain('<task id="a"/>').replace(b"</process>", inner.encode() + b"</process>")

    load(nested(50), file="a.bpmn")
    with pytest.raises(LimitExceeded, match=r"sub-processes are nested too deep.*at most 50"):
        load(nested(51), file="a.bpmn")


def test_prefixes_mean_nothing() -> None:
    data = (
        b'<x:definitions xmlns:x="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmn="urn:other"'
        b' xmlns:policy="urn:bpmn-governor:governance:1.0"><x:process id="p"><x:startEvent id="s"/>'
        b'<bpmn:task id="no"/><x:task id="a"><x:extensionElements><policy:policy workingThreshold="5"/>'
        b'</x:extensionElements></x:task><x:sequenceFlow id="f" sourceRef="s" targetRef="a"/></x:process>'
        b"</x:definitions>"
    )
    assert element(data).resolved.policy.working_threshold == 5


def test_comments_and_processing_instructions_are_skipped() -> None:
    data = chain('<scriptTask id="a"><!-- c --><script>a = 1<!-- d --> + 1<?pi x?></script></scriptTask>')
    script = element(data).script
    assert script is not None
    assert script.text == "a = 1 + 1"
