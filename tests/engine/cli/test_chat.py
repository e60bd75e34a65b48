"""`governor chat`: a process is heard and answered, line by line."""

from __future__ import annotations

from tests.engine.chat.test_bridge import ASKING, TWO
from tests.engine.cli.command import governor, governor_child
from tests.engine.cli.files import Folder


def waiting(folder: Folder, source: bytes = ASKING) -> str:
    file = folder.put("asking.bpmn", source.decode())
    instance: str = governor("run", file, "--db", folder.db, "--json").json["instance"]
    return instance


def test_what_is_asked_is_answered_and_the_process_goes_on(folder: Folder) -> None:
    told = governor_child("chat", waiting(folder), "--db", folder.db, input="all is well\n")
    assert told.code == 0
    assert "asks      u: give remark" in told.out
    assert "answer    done by maria" in told.out
    assert told.out.endswith("completed\n")


def test_something_is_said_and_the_instance_goes_on_waiting(folder: Folder) -> None:
    instance = waiting(folder)
    told = governor_child("chat", instance, "--db", folder.db, input="/help\n/say She has paid twice.\n/quit\n")
    assert told.code == 3
    assert "said      by maria" in told.out
    assert "/say TEXT" in told.out
    variables = governor("show", instance, "--db", folder.db, "--json").json["variables"]
    [turn] = [value for name, value in variables.items() if name.startswith("chat/")]
    assert (turn["by"], turn["text"]) == ("maria", "She has paid twice.")


def test_a_reply_that_does_not_fit_is_told_and_asked_again(folder: Folder) -> None:
    told = governor_child("chat", waiting(folder, TWO), "--db", folder.db, input="maybe\ndone\nok\n")
    assert "maybe is no answer; allowed is `done`, or a JSON object" in told.out
    assert told.code == 0


def test_the_end_of_input_leaves(folder: Folder) -> None:
    assert governor_child("chat", waiting(folder), "--db", folder.db, input="").code == 3


def test_bad_input_is_one_line(folder: Folder) -> None:
    waiting(folder)
    told = governor_child("chat", "nothing", "--db", folder.db)
    assert (told.code, told.out) == (2, "")
    assert "Traceback" not in told.err
