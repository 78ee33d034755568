"""The engine's own diagnostics, declared in the same form as rules; the engine itself finds them."""
