"""Run burnlint over a corpus of public projects and compare the findings with a committed table.

The corpus is no part of the project: `projects.tsv` names public repositories and the commits at which
findings were judged. Bring them onto your machine yourself, each as `ROOT/OWNER+NAME`.
"""
