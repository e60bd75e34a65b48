"""Orders over HTTP. An order and its process instance are written in one transaction: both are there, or neither.

    uvicorn --factory service:create_app
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel
from sqlalchemy import Column, Engine, Integer, MetaData, String, Table, create_engine, insert, select

from engine.async_governor import AsyncGovernor
from engine.embedding import open_governor
from engine.errors import EngineError
from engine.governor import Governor
from engine.store.deployments import Version

HERE = Path(__file__).parent
METADATA = MetaData()
ORDERS = Table(
    "orders", METADATA, Column("id", Integer, primary_key=True), Column("amount", Integer), Column("instance", String)
)


class Order(BaseModel):
    amount: int
    customer: str


class Consent(BaseModel):
    by: str
    consent: bool


class Orders:
    """The service's own business, on its own tables."""

    def __init__(self, engine: Engine, version: Version) -> None:
        self._engine, self._version = engine, version

    def place(self, governor: Governor, order: Order) -> dict[str, Any]:
        """The order and its instance, in one transaction of ours."""
        with self._engine.begin() as connection:
            row = connection.execute(insert(ORDERS).values(amount=order.amount))
            number = row.inserted_primary_key[0]
            result = governor.within(connection).start_version(
                self._version, {"order": number, "amount": order.amount}, starter=order.customer
            )
            connection.execute(ORDERS.update().where(ORDERS.c.id == number).values(instance=result.instance))
        return {"order": number, "status": result.status}

    def instance(self, number: int) -> str:
        with self._engine.connect() as connection:
            found = connection.execute(select(ORDERS.c.instance).where(ORDERS.c.id == number)).scalar()
        if found is None:
            raise HTTPException(404, "there is no such order")
        return str(found)


def create_app(database: str | None = None) -> FastAPI:
    """The service on a SQLite file; nothing of it is global, so several may live in one program."""
    file = database or os.environ.get("ORDERS_DB", "orders.db")

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        settings = {"handlers": [str(HERE / "handlers.py")]}
        async with AsyncGovernor(open_governor(file, settings=settings)) as governor:
            engine = create_engine(f"sqlite:///{file}")
            METADATA.create_all(engine)
            loaded = await governor.check(HERE / "order.bpmn")
            version = await governor.deploy(loaded, by="the service")
            app.state.governor, app.state.orders = governor, Orders(engine, version)
            yield
            engine.dispose()

    app = FastAPI(lifespan=life)

    @app.post("/orders", status_code=201)
    async def place(order: Order) -> dict[str, Any]:
        orders: Orders = app.state.orders
        placed: dict[str, Any] = await app.state.governor.run(lambda governor: orders.place(governor, order))
        return placed

    @app.get("/orders/{number}")
    async def look(number: int) -> dict[str, Any]:
        result = await app.state.governor.result(app.state.orders.instance(number))
        return {"order": number, "status": result.status, "variables": dict(result.variables)}

    @app.post("/orders/{number}/consent")
    async def consent(number: int, given: Consent) -> dict[str, Any]:
        governor: AsyncGovernor = app.state.governor
        tasks = await governor.work_items(app.state.orders.instance(number))
        if not tasks:
            raise HTTPException(409, "nothing is to be decided")
        try:
            result = await governor.complete(tasks[0].id, {"consent": given.consent}, by=given.by)
        except EngineError as refused:  # somebody else was first, or an operator has stopped it
            raise HTTPException(409, str(refused)) from refused
        return {"order": number, "status": result.status}

    return app
