"""The language server: what `burnlint check` finds, shown in an editor while its user types.

Needs the extra `burnlint[lsp]`. Nothing here knows how a project is loaded: `burnlint.cli.server` hands in a
`Look`, which lints paths with the editor's buffers in place of what is on the disk.
"""
