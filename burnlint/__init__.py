"""burnlint: a static analyzer for Rust projects that use the burn deep-learning framework.

What rules import stands here; each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.manifest import ManifestView
    from burnlint.burn.migration.table import feature_successor
    from burnlint.burn.programs import Build, Lack, for_the_web, without_std
    from burnlint.burn.pytorch import Difference, differences
    from burnlint.burn.releases import releases
    from burnlint.burn.side import ConfigFault, Setting, SideView
    from burnlint.burn.stores import Store, StoreUse
    from burnlint.burn.versions import RELEASED, locked_version, released, with_local_dependencies
    from burnlint.burn.view import FileView
    from burnlint.cargo.config import config_files, offline_settings
    from burnlint.cargo.edit import Replacement, add_entry_beside, remove_element
    from burnlint.cargo.manifest import At
    from burnlint.cargo.model import Dependency, FeatureRef, Package, Workspace
    from burnlint.cargo.semver import Requirement, Version
    from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
    from burnlint.lint.rule import Rule
    from burnlint.text import Text

__all__ = [
    "RELEASED",
    "At",
    "Because",
    "Build",
    "ConfigFault",
    "Dependency",
    "Difference",
    "Edit",
    "Expr",
    "FeatureRef",
    "FileView",
    "Finding",
    "Fix",
    "Lack",
    "ManifestView",
    "Package",
    "Place",
    "Replacement",
    "Requirement",
    "Rule",
    "Setting",
    "SideView",
    "Store",
    "StoreUse",
    "Text",
    "Version",
    "Workspace",
    "__version__",
    "add_entry_beside",
    "config_files",
    "differences",
    "feature_successor",
    "for_the_web",
    "locked_version",
    "offline_settings",
    "released",
    "releases",
    "remove_element",
    "with_local_dependencies",
    "without_std",
]

_HOMES = {
    "At": "burnlint.cargo.manifest",
    "Because": "burnlint.lint.finding",
    "ConfigFault": "burnlint.burn.side",
    "Dependency": "burnlint.cargo.model",
    "Difference": "burnlint.burn.pytorch",
    "Edit": "burnlint.lint.finding",
    "FeatureRef": "burnlint.cargo.model",
    "Finding": "burnlint.lint.finding",
    "Fix": "burnlint.lint.finding",
    "Package": "burnlint.cargo.model",
    "Place": "burnlint.lint.finding",
    "RELEASED": "burnlint.burn.versions",
    "Replacement": "burnlint.cargo.edit",
    "Requirement": "burnlint.cargo.semver",
    "Rule": "burnlint.lint.rule",
    "Setting": "burnlint.burn.side",
    "Text": "burnlint.text",
    "Version": "burnlint.cargo.semver",
    "Workspace": "burnlint.cargo.model",
    "add_entry_beside": "burnlint.cargo.edit",
    "config_files": "burnlint.cargo.config",
    "feature_successor": "burnlint.burn.migration.table",
    "differences": "burnlint.burn.pytorch",
    "for_the_web": "burnlint.burn.programs",
    "locked_version": "burnlint.burn.versions",
    "offline_settings": "burnlint.cargo.config",
    "released": "burnlint.burn.versions",
    "releases": "burnlint.burn.releases",
    "remove_element": "burnlint.cargo.edit",
    "with_local_dependencies": "burnlint.burn.versions",
    "without_std": "burnlint.burn.programs",
}

_GIVEN = frozenset({"Build", "Expr", "FileView", "Lack", "ManifestView", "SideView", "Store", "StoreUse"})
"""What rules are given and name in annotations only. At run time each is `Any`: to load them takes longer than all the
rest of a run that the cache answers."""


def __getattr__(name: str) -> Any:
    if name in _GIVEN:
        return Any
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
