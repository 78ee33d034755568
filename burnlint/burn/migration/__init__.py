"""Code of burn 0.21 under burn 0.22: what it meant, what is gone, and the edits that carry it over.

Code that was written for an older burn is read with the facts of that burn (`Before`), since the newer one has
no words for half of it; what is gone follows from comparing both. What no signature says stands in
`burnlint/burn/data/migration.toml`.
"""
