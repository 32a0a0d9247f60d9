"""What schemathesis cannot know by itself."""

import schemathesis

LISTS = ("moves", "search_moves", "include", "arrows", "marks")


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    """A batch is a string of lines."""
    return value.encode() if isinstance(value, str) else str(value).encode()


@schemathesis.hook
def filter_query(ctx, query):
    """An empty parameter is an empty list, not a list with an empty string."""
    return not query or all(query.get(name) not in ("", [""]) for name in LISTS)
