"""QTS: its parts, weights and presets (Design: CDA, QTS)."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest
from pydantic import ValidationError

from governance.cda.entry import Entry
from governance.cda.names import name_key
from governance.cda.scg import SemanticContextGraph
from governance.cda.scoring import Focus, Qts, QtsScorer
from governance.cda.settings import WEIGHTS, CdaSettings, QtsWeights
from governance.similarity.index import Bm25Index
from governance.vocabulary import QtsPreset


def scorer(*texts: str, **each: list[Any]) -> QtsScorer:
    entries, index, graph = [], Bm25Index(), SemanticContextGraph()
    for number, text in enumerate(texts):
        fields = {field: values[number] for field, values in each.items()}
        name = name_key(str(fields.pop("name", "")))
        entry = Entry(
            id=f"e{number}", number=number, turn=number, message={"role": "user", "content": text}, text=text,
            tokens=len(text), name=name, **fields,
        )  # fmt: skip
        entries.append(entry)
        index.add(str(number), text)
        graph.add(entry)
    return QtsScorer(entries, index, graph, CdaSettings())


def scores(found: QtsScorer, focus: Focus, preset: QtsPreset = QtsPreset.DEFAULT) -> dict[int, Qts]:
    return found.score(focus, WEIGHTS[preset])


@pytest.mark.parametrize(
    ("preset", "weights"),
    [
        ("default", (0.4, 0.2, 0.2, 0.2)),
        ("code", (0.4, 0.1, 0.4, 0.1)),
        ("diagnosis", (0.5, 0.2, 0.1, 0.2)),
        ("research", (0.3, 0.1, 0.2, 0.4)),
    ],
)
def test_presets_have_the_designs_weights(preset: str, weights: tuple[float, ...]) -> None:
    assert tuple(WEIGHTS[QtsPreset(preset)].model_dump().values()) == weights


def test_weights_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"the weights of QTS add up to 0\.9, not to 1"):
        QtsWeights(intent=0.3, phase=0.2, tool=0.2, causal=0.2)


def test_intent_is_a_half_where_bm25_is_four() -> None:
    found = scorer("the ledger", "amber birch", "cedar dune")
    best = Bm25Index()
    for number, each in enumerate(("the ledger", "amber birch", "cedar dune")):
        best.add(str(number), each)
    raw = best.score("ledger")["0"]
    assert isclose(scores(found, Focus(query="ledger"))[0].intent, raw / (raw + 4.0))


def test_intents_of_hits_stand_to_each_other_as_their_bm25() -> None:
    texts = ("ledger ledger quarter", "ledger and much else that is longer", "amber")
    found = scores(scorer(*texts), Focus(query="ledger quarter"))
    index = Bm25Index()
    for number, each in enumerate(texts):
        index.add(str(number), each)
    raw = index.score("ledger quarter")
    assert isclose(found[1].intent / found[0].intent, raw["1"] / raw["0"])


def test_phase_is_one_in_the_same_scope_and_a_half_at_most_elsewhere() -> None:
    found = scorer("ledger a", "ledger b", "amber", scope=["here", "there", "here"])
    scored = scores(found, Focus(query="ledger", scope="here"))
    assert scored[0].phase == 1.0
    assert 0.0 < scored[1].phase <= 0.5


def test_without_a_scope_phase_is_how_well_the_scope_answers() -> None:
    found = scorer("ledger", "ledger", "ledger amber birch", "cedar", scope=["a", "a", "b", "b"])
    scored = scores(found, Focus(query="ledger"))
    assert scored[0].phase == 1.0
    assert 0.0 < scored[2].phase < 1.0


def test_a_miss_lowers_its_scope_by_half_its_decay() -> None:
    found = scorer("ledger", scope=["a"])
    assert scores(found, Focus(query="ledger", scope="a", missed={"a": 1.0}))[0].phase == 0.5
    assert scores(found, Focus(query="ledger", scope="a", missed={"a": 0.4}))[0].phase == 0.8


def test_tool_is_the_overlap_coefficient() -> None:
    tools = [frozenset({"search", "orders"}), frozenset({"mail"}), frozenset()]
    found = scorer("ledger", "ledger", "ledger", tools=tools)
    scored = scores(found, Focus(query="ledger", tools=frozenset({"search", "book", "pay"})))
    assert [scored[n].tool for n in range(3)] == [0.5, 0.0, 0.0]


def test_whoever_the_query_names_counts_as_what_the_work_has() -> None:
    found = scorer("we sold it", "we sold it too", name=["Ines Maier", "Tom"], of_oneself=[True, True])
    scored = scores(found, Focus(query="what did ines maier sell? sold"))
    assert scored[0].tool == 1.0
    assert scored[1].tool == 0.0


def test_causal_is_what_a_path_from_a_hit_leaves() -> None:
    found = scorer("ledger", "amber", "birch", "cedar")
    scored = scores(found, Focus(query="ledger"))
    assert scored[1].causal == 1.0
    assert isclose(scored[2].causal, 0.5 * 2 / 3 / 0.5 * 0.5)
    assert 3 not in scored


def test_a_chain_of_names_is_followed() -> None:
    texts = (
        "Orbit was directed by Lena Gruber.",
        "Lena Gruber was born in Graz.",
        "A film about rivers.",
        "Graz lies on the Mur.",
    )
    titles = ["Orbit (film)", "Lena Gruber", "Rivers", "Graz"]
    found = scorer(*texts, name=titles, scope=titles)
    scored = scores(found, Focus(query="Where was the director of Orbit born?"), QtsPreset.RESEARCH)
    assert scored[1].causal > 0.0
    assert scored[1].score > scored.get(2, Qts(0, 0, 0, 0, 0)).score


def test_parts_without_material_leave_their_weight_to_the_others() -> None:
    scored = scores(scorer("ledger"), Focus(query="ledger", scope=""))[0]
    assert isclose(scored.score, (0.4 * scored.intent + 0.2 * scored.phase) / 0.6)


def test_only_candidates_are_scored() -> None:
    texts = [f"amber{n} birch{n}" for n in range(300)] + ["ledger"]
    scored = scores(scorer(*texts, scope=[str(n) for n in range(301)]), Focus(query="ledger"))
    assert set(scored) == {300}


def test_who_speaks_to_somebody_has_something_to_do_with_them() -> None:
    found = scorer(
        "sold", "sold", "sold", name=["Ines", "Tom", "Ines"], to=["", "ines", ""], of_oneself=[True, False, False]
    )
    scored = scores(found, Focus(query="what did Ines sell? sold"))
    assert [scored[number].tool for number in range(3)] == [1.0, 0.4, 0.8]
