"""Import-linter contract types of this project, named in `.importlinter`."""

from __future__ import annotations

import sys
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.domain.imports import Module


class ExternalAllowList(Contract):
    """Packages may import the standard library and a closed list of other distributions' packages, nothing else.

    The `forbidden` contract can only name what is refused: a dependency added tomorrow would pass it.

    Options: `source_modules` (packages, each with all its modules) and `allowed` (names of top-level packages).
    """

    type_name = "external_allow_list"

    source_modules = fields.ListField(subfield=fields.ModuleField())
    allowed = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        sources = cast("list[Module]", self.source_modules)
        known = cast("set[str]", self.allowed) | sys.stdlib_module_names
        external = {module for module in graph.modules if graph.is_module_squashed(module)}
        refused = {module for module in external if module.partition(".")[0] not in known}
        found = [
            (importer, imported)
            for source in sources
            for importer in sorted({source.name, *graph.find_descendants(source.name)})
            for imported in sorted(graph.find_modules_directly_imported_by(importer) & refused)
        ]
        return ContractCheck(kept=not found, metadata={"imports": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["imports"]:
            output.print_error(f"- {importer} -> {imported}", bold=False)
        output.new_line()
        allowed = sorted(cast("set[str]", self.allowed))
        output.print_error(f"Allowed: the standard library, {', '.join(allowed)}.", bold=False)
        output.new_line()
