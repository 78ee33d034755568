"""Tools of the developers of burnlint; nothing here is shipped."""
