"""The application: REST, console and inbox, on one Governor."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from engine.governor import Governor
from engine.report.environment import ASSETS
from engine.server.api.all import RESOURCES
from engine.server.api.parts import API
from engine.server.assets import Assets
from engine.server.auditing import Auditing
from engine.server.claims import Claims
from engine.server.console import access, inbox, instances, language, learned, processes, sign_in
from engine.server.designer import routes as designer
from engine.server.designer.version_desk import VersionDesks
from engine.server.identity.guard import Recognising
from engine.server.identity.local import LocalIdentity
from engine.server.live import Heard
from engine.server.memories import Memories
from engine.server.openapi import describe
from engine.server.pages import Pages
from engine.server.refusals import answer_errors
from engine.server.security_headers import SecurityHeaders
from engine.server.seeing import Seeing
from engine.server.services import Services
from engine.server.views.naming import Naming
from engine.startup import DISTRIBUTION
from engine.store.ids import Ids, RandomIds
from governance.ports import Clock, SystemClock

_HERE: Final = Path(__file__).parent
_LARGEST_BODY: Final = 16 * 1024 * 1024
"""Bytes; a model of a process is the largest thing that anybody sends."""
_WORTH_PACKING: Final = 20_000
"""Bytes. Drawings say the same again and again: packed, a page is a tenth of itself."""
_NOTHING: Final[Mapping[str, Any]] = {}
_ROUTERS: Final = (
    sign_in.router, language.router, instances.router, inbox.router, processes.router, learned.router, access.router,
    designer.router,
)  # fmt: skip
PARTS: Final = (_HERE, _HERE / "designer")
"""Each has its own `templates` and `static`."""


def create_app(
    governor: Governor,
    identity: LocalIdentity,
    clock: Clock | None = None,
    *,
    ids: Ids | None = None,
    settings: Mapping[str, Any] = _NOTHING,
) -> FastAPI:
    """An ASGI application. `settings` are those of instances that are started here: model, handlers, folder.

    Whoever makes it closes the Governor.
    """
    clock = clock or SystemClock()
    assets = Assets([*(part / "static" for part in PARTS), _HERE / "vendor", ASSETS])
    pages = Pages([part / "templates" for part in PARTS], assets)
    app = FastAPI(
        title="Governor",
        version=version(DISTRIBUTION),
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        max_body_size=_LARGEST_BODY,
        redirect_slashes=False,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(GZipMiddleware, minimum_size=_WORTH_PACKING, compresslevel=3),
            Middleware(Recognising, identity=identity),
            Middleware(Auditing, access=governor.store.access, clock=clock),
        ],
    )
    app.state.services = Services(
        governor=governor, identity=identity, clock=clock, assets=assets, pages=pages,
        heard=Heard(governor), ids=ids or RandomIds(), settings=settings, memories=Memories(governor.store, clock),
        naming=Naming(governor), claims=Claims(clock), seeing=Seeing(governor),
    )  # fmt: skip
    app.state.pages, app.state.desks = pages, VersionDesks(governor)
    answer_errors(app)
    for router in (*RESOURCES, *_ROUTERS):
        app.include_router(router)
    app.mount("/static", assets.app(), name="static")
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
