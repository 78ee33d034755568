"""Snippets by operator."""

from __future__ import annotations

from tools.mutation.snippets import devices, gradients, loaders, modules, numbers, shapes, updates, weights
from tools.mutation.transplant import Snippet

SNIPPETS: dict[str, list[Snippet]] = {
    **numbers.SNIPPETS,
    **shapes.SNIPPETS,
    **gradients.SNIPPETS,
    **modules.SNIPPETS,
    **updates.SNIPPETS,
    **loaders.SNIPPETS,
    **weights.SNIPPETS,
    **devices.SNIPPETS,
}
