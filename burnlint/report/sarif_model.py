"""Turns sarif_om's objects into what `json.dumps` takes.

The serializer that usually goes with sarif_om drops every value equal to its default. For `Result.level` that
is wrong: a missing level means the rule's, not `warning` (SARIF 2.1.0, 3.27.10).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import attr

_KEPT = {("Result", "level"), ("Notification", "level"), ("ReportingConfiguration", "level")}


@cache
def _plan(cls: Any) -> list[tuple[str, str, Any, bool]]:
    """Of each attribute: its name, its JSON name, its default, and whether to write it even then."""
    plan = []
    for field in attr.fields(cls):
        factory = getattr(field.default, "factory", None)
        default = factory() if factory else field.default
        keep = default is attr.NOTHING or (cls.__name__, field.name) in _KEPT
        plan.append((field.name, field.metadata["schema_property_name"], default, keep))
    return plan


def to_json(value: Any) -> Any:
    """The object as plain dicts and lists, in the order of sarif_om's attributes; None and defaults left out
    (TypeError for others)."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, list):
        return [to_json(each) for each in value]
    if isinstance(value, dict):
        return {key: to_json(each) for key, each in value.items()}
    if not attr.has(type(value)):
        raise TypeError(f"not a SARIF value: {value!r}")
    written = {}
    kind: Any = type(value)
    for name, key, default, keep in _plan(kind):
        each = getattr(value, name)
        if each is not None and (keep or each != default):
            written[key] = to_json(each)
    return written
