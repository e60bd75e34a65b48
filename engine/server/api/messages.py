"""`/v1/instances/{instance}/messages` and `/v1/signals`: what comes from the world outside."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request

from engine.server.api.documents import Json, Message, ResultDocument, Signal
from engine.server.api.parts import Instance, Operator, router
from engine.server.services import services_of

routes = router("messages")


@routes.post("/instances/{instance}/messages")
async def send_message(request: Request, person: Operator, instance: Instance, asked: Message) -> ResultDocument:
    """Give a message to what in the instance waits for it longest."""
    services = services_of(request)
    keep = None if asked.keep_seconds is None else timedelta(seconds=asked.keep_seconds)

    def move() -> ResultDocument:
        given, by = asked.payload, person.name
        result = services.governor.correlate(instance, asked.name, given, key=asked.key, keep=keep, by=by)
        return ResultDocument.of(services.seeing.result(result))

    return await services.moves.run(move)


@routes.post("/signals")
async def send_signal(request: Request, person: Operator, asked: Signal) -> Json:
    """Send a signal to all instances that wait for it now; their ids."""
    services = services_of(request)
    received = await services.moves.run(lambda: services.governor.signal(asked.name, asked.payload))
    return {"received": received}
