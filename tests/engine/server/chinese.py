"""A world in which everybody and everything has a Chinese name: what is Latin on its pages, a page said itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lxml import html

from bpmn.load import load
from engine.governor import Governor
from governance.human_loop.intervention import Intervention
from tests.bpmn.files import document, policy
from tests.engine.models import edges

_HUMAN: Final = policy('<gov:policy><gov:mergeKey name="结论" strategy="HUMAN"/></gov:policy>')
_PREVIEW: Final = policy(
    '<gov:policy interactionLevel="DIFF_PREVIEW"/><gov:agent outputs="信件:string" tools=""/>'
)
_TIGHT: Final = policy(
    '<gov:policy workingThreshold="2000" compressStrategy="ARCHIVE"><gov:retainKey name="目标"/></gov:policy>'
)
_FORM: Final = (
    '<ioSpecification><dataInput id="入" name="目标"/><dataOutput id="出" name="签名"/><inputSet/><outputSet/>'
    "</ioSpecification>"
)


def _script(name: str, code: str, inside: str = "") -> str:
    return f'<scriptTask id="{name}" name="{name}" scriptFormat="python">{inside}<script>{code}</script></scriptTask>'


PROCESS: Final = document(
    '<process id="理赔" name="理赔" isExecutable="true">'
    + policy('<gov:policy workingThreshold="60000"/>')
    + '<startEvent id="开始" name="开始"/>'
    + _script("收集", "日志 = '日志的一行。' * 800\n目标 = '找出原因'\n信件 = '尊敬的客户您好!款项已付。'")
    + f'<task id="写信" name="写信">{_PREVIEW}</task>'
    + '<parallelGateway id="分开" name="分开"/>'
    + _script("左边", "结论 = '有责'\n金额 = 1")
    + _script("右边", "结论 = '无责'\n金额 = 2")
    + f'<parallelGateway id="合并" name="合并">{_HUMAN}</parallelGateway>'
    + _script("权衡", "长度 = len(日志)", _TIGHT)
    + f'<userTask id="签字" name="签字">{_FORM}</userTask>'
    + '<exclusiveGateway id="选择" name="选择" default="通过"/>'
    + _script("检查", "结果 = 1 / 除数")
    + '<endEvent id="结束" name="结束"/>'
    + edges("开始 > 收集 > 写信 > 分开 > 左边 > 合并 > 权衡 > 签字 > 选择 =通过=> 检查 > 结束", "分开 > 右边 > 合并")
    + "</process>"
)
"""A question on outputs, a conflict for a person, one for a rule, a compression, a task, and a failure."""

_TERMS: Final = re.compile(
    r"(?<![A-Za-z])(?:[A-Z]{2,}(?:_[A-Z]+)*|D[123]|OpenAPI|Governor|English|JavaScript|Authorization: Bearer KEY|"
    r"bpmn|git|ms|min|id|governor design)(?![A-Za-z])"
)
"""What stays Latin in Chinese text: names of formats, values that files write, units."""
ERROR: Final = ("理赔.bpmn:6: 检查: `1 / 除数`: division by zero", "InvalidValue")
"""What the library that computes complained about, and how programs call it."""
_LATIN: Final = re.compile(r"[A-Za-z]{2,}")
_ID: Final = re.compile(
    r"\{by\}|\[Compressed\]|(?<![a-z])[0-9a-f]{8,}|(?<![a-z])[a-z_]*(?=[0-9a-z_]*\d)[0-9a-z_]{6,}(?:-w?\d+)?|activity:"
)
"""Ids, and what stands in what a model was shown."""
_SAID: Final = (
    "aria-label", "title", "placeholder", "alt", "data-reason", "data-done", "data-none", "data-added",
    "data-removed", "data-changed", "data-shown", "data-label", "data-late", "data-whole", "data-part", "data-fine",
)  # fmt: skip
_DATA: Final = (
    "//script | //style | //code | //kbd | //body//*[@lang='en']"
    " | //section[@id='log']//tbody | //section[@id='log']//select"
)
"""What is set as code is data of programs, and the event log is, too."""


def latin(page: str, *data: str) -> list[str]:
    """Texts of a page that are not Chinese, but for these `data`: names, and what libraries complained about."""
    root = html.document_fromstring(page)
    for each in root.xpath(_DATA):
        each.drop_tree()
    return sorted({text for text in _texts(root) if is_latin(text, *data)})


def is_latin(text: str, *data: str) -> bool:
    """Whether something in a text could have been told in Chinese."""
    for each in data:
        text = text.replace(each, "")
    return _LATIN.search(_TERMS.sub("", _ID.sub("", text))) is not None


def _texts(root: Any) -> Iterator[str]:
    for each in root.iter():
        if isinstance(each.tag, str):
            for text in (each.text, each.tail, *(each.get(name) for name in _SAID)):
                yield " ".join((text or "").split())


def tell_all(governor: Governor, settings: dict[str, Any]) -> dict[str, str]:
    """Runs in every state; instances by what they show."""
    version = governor.deploy(load(PROCESS, file="理赔.bpmn"), by="小王", reason="首版")

    def begin() -> str:
        return governor.start_version(version, {"除数": 0}, starter="小王", settings=settings).instance

    def approve(instance: str) -> Intervention:
        """The letter; what is asked next."""
        [asked] = governor.store.interventions(instance=instance)
        governor.answer(asked.id, "approve", by="小李", reason="可以", shown_hash=asked.shown_hash)
        [asked] = governor.store.interventions(instance=instance)
        return asked

    found = {name: begin() for name in ("asked", "conflict", "failed", "skipped", "suspended", "cancelled", "moved")}
    approve(found["conflict"])
    for name in ("failed", "skipped"):
        asked: Any = approve(found[name])
        taken = next(each["branch"] for each in asked.shown["conflicts"][0]["values"] if each["value"] == "无责")
        governor.answer(asked.id, "resolve", by="法官", reason="亲眼所见", values={"结论": {"take": taken}})
        [item] = governor.store.work_items(instance=found[name])
        governor.complete(item.id, {"签名": "是"}, by="小张")
    governor.retry(found["failed"], "检查", by="小赵", reason="再试")
    governor.register_dead_end(found["failed"], "结论", "有责", "已证伪", by="小赵")
    governor.edit(found["skipped"], {"目标": "新目标"}, by="小赵", reason="更正")
    governor.restore_context(found["skipped"], governor.snapshots(found["skipped"])[2].id, by="小赵")
    governor.skip(found["skipped"], "检查", outputs={"结果": 0}, by="小赵", reason="不需要")
    governor.suspend(found["suspended"], by="小赵", reason="等一等")
    governor.cancel(found["cancelled"], by="小赵", reason="作废")
    known = governor.knowledge.add("先核对保单再付款。", "规程", by="小王", title="核对").item
    governor.knowledge.add("付款后通知客户。", "规程", by="小王")
    governor.knowledge.confirm(known.id, by="小李")
    governor.knowledge.retire(known.id, by="小李", reason="已作废")
    governor.move(found["moved"], "写信", "权衡", by="小赵", reason="跳过信件")
    governor.suspend(found["moved"], by="小赵", reason="等一等")
    governor.unsuspend(found["moved"], by="小赵", reason="继续")
    return found
