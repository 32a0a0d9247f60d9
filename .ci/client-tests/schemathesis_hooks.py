"""What schemathesis cannot know by itself."""

import schemathesis

LISTS = ("moves", "search_moves", "include", "arrows", "marks")
LISTS_OF_TEXTS = ("moves", "search_moves")


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """A batch is a string of lines."""
    return value.encode() if isinstance(value, str) else str(value).encode()


@schemathesis.hook
def filter_query(ctx, query):
    """In a query an empty parameter is an empty list, and a text in place of a list of texts is a list with that text."""
    query = query or {}
    is_list = all(query.get(name) not in ("", [""]) for name in LISTS)
    return is_list and not any(isinstance(query.get(name), str) for name in LISTS_OF_TEXTS)
