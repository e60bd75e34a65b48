"""Direction: where the work is heading, how far it drifted, what kind of turn it took (Design: CDA, direction)."""

from __future__ import annotations

from math import exp, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.cda.direction import Direction, Gradient, decay
from governance.cda.embedding import HashingEmbedding, Vector, dot, mixed, unit
from governance.cda.settings import CdaSettings


class Axes:
    """One dimension per word, so that numbers can be worked out by hand."""

    semantic = False

    def __init__(self) -> None:
        self._at: dict[str, int] = {}

    def learn(self, text: str) -> None: ...

    def embed(self, text: str) -> Vector:
        return unit({self._at.setdefault(word, len(self._at)): 1.0 for word in text.split()})

    def index(self) -> None: ...


def direction(intent: str = "goal") -> Direction:
    found = Direction(Axes(), CdaSettings())
    found.aim(intent)
    return found


def test_the_first_direction_is_the_global_one() -> None:
    found = direction()
    assert dict(found.current) == dict(found.target) == {0: 1.0}
    assert found.drift == 0.0


def test_a_turn_mixes_intent_phase_and_inertia() -> None:
    found = direction()
    found.turn("x", "y")
    length = sqrt(0.60**2 + 0.15**2 + 0.25**2)
    assert isclose(found.drift, 1.0 - 0.25 / length)
    assert isclose(found.alignment("x"), 0.60 / length)
    assert isclose(found.alignment("y"), 0.15 / length)


def test_a_miss_lowers_its_component() -> None:
    found = direction("a b")
    before = found.alignment("a")
    found.miss("a", age_days=7.0)
    share = 0.5 * exp(-1.0) * before
    a, b = before - share, before
    assert isclose(found.alignment("a"), a / sqrt(a * a + b * b))
    assert found.alignment("a") < before


def test_an_old_miss_counts_little() -> None:
    assert decay(0.0) == 1.0
    assert isclose(decay(7.0), exp(-1.0))
    assert decay(-3.0) == 1.0


def test_an_alert_is_due_after_three_turns_too_far_off() -> None:
    found = direction()
    assert not any(found.turn("goal").alert for _ in range(10))
    alerts = [found.turn("elsewhere").alert for _ in range(4)]
    assert alerts == [False, False, True, True]
    assert not [found.turn("goal") for _ in range(3)][-1].alert


@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        (["goal"], Gradient.STEADY),
        (["goal", "x"], Gradient.JUMP),
        (["x", "x", "x", "x", "goal y"], Gradient.ADVANCE),
        (["goal", "goal", "x", "goal"], Gradient.RETURN),
        (["goal x", "z", "goal x"], Gradient.RETURN),
        (["x", "y", "x", "y", "x", "y"], Gradient.OSCILLATION),
    ],
)
def test_turns_are_of_a_kind(turns: list[str], kind: Gradient) -> None:
    found = direction()
    assert [found.turn(each) for each in turns][-1].gradient is kind


def test_a_small_wobble_is_no_oscillation() -> None:
    found = direction("a b c d")
    last = [found.turn(f"a b c d {each}") for each in ("x", "y", "x", "y", "x", "y")][-1]
    assert last.shift > 0.05
    assert last.gradient is Gradient.JUMP


def test_from_one_side_way_to_another_is_no_advance() -> None:
    found = direction()
    assert found.turn("x", target={99: 1.0}).gradient is Gradient.JUMP


def test_what_is_just_the_threshold_is_no_shift() -> None:
    shift = direction().turn("goal x").shift
    found = Direction(Axes(), CdaSettings(shift=shift))
    found.aim("goal")
    assert found.turn("goal x").gradient is Gradient.STEADY


def test_no_shift_and_nothing_new_is_a_trap() -> None:
    found = direction()
    assert found.turn("goal", new_evidence=False).gradient is Gradient.TRAP


def test_a_shift_is_more_than_the_threshold() -> None:
    found = direction()
    assert found.turn("goal").shift <= 0.05
    assert found.turn("elsewhere").shift > 0.05


@given(st.lists(st.text(max_size=30), min_size=1, max_size=8))
def test_directions_have_length_one(texts: list[str]) -> None:
    embedding = HashingEmbedding()
    found = Direction(embedding, CdaSettings())
    found.aim("ship the order")
    for each in texts:
        embedding.learn(each)
        turned = found.turn(each)
        assert isclose(dot(found.current, found.current), 1.0)
        assert -1e-9 <= turned.drift <= 2.0


def test_rare_terms_weigh_more_than_common_ones() -> None:
    embedding = HashingEmbedding()
    for each in ("order amber", "order birch", "order cedar"):
        embedding.learn(each)
    asked = embedding.embed("order amber")
    assert dot(asked, embedding.embed("amber")) > dot(asked, embedding.embed("order"))


def test_chinese_is_read_by_pairs_of_characters() -> None:
    embedding = HashingEmbedding()
    assert dot(embedding.embed("方向对齐"), embedding.embed("方向漂移")) > 0.0


def test_a_mix_without_material_is_empty() -> None:
    assert mixed([(0.6, {}), (0.4, {})]) == {}
