"""An HTTP/1.1 client on asyncio that never retries: what fails here fails for a client."""

import asyncio
import json
from dataclasses import dataclass, field

KEY = "key-of-the-test"
NDJSON = {"content-type": "application/x-ndjson", "x-api-key": KEY}


@dataclass(frozen=True)
class Question:
    """A request of a client."""

    method: str
    path: str
    body: bytes = b""
    headers: dict = field(default_factory=dict, hash=False)

    def encode(self) -> bytes:
        """The bytes on the wire."""
        head = [f"{self.method} {self.path} HTTP/1.1", "host: bestmove.test"]
        if self.body or self.method == "POST":
            head.append(f"content-length: {len(self.body)}")
            if "content-type" not in self.headers:
                head.append("content-type: application/json")
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + self.body


def get(path: str, **headers) -> Question:
    """A GET request."""
    return Question("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})


def post(path: str, value, **headers) -> Question:
    """A POST request with a JSON body."""
    names = {k.replace("_", "-"): v for k, v in headers.items()}
    return Question("POST", path, json.dumps(value).encode(), names)


@dataclass
class Answer:
    """A complete response."""

    status: int
    headers: dict
    body: bytes

    def json(self):
        """The body as a JSON value."""
        return json.loads(self.body)


class Connection:
    """One connection, kept between requests as long as the server keeps it."""

    def __init__(self, port: int, host: str = "127.0.0.1", tls=None):
        self.address = (host, port)
        self.tls = tls
        self.reader = self.writer = None

    async def send(self, question: Question) -> None:
        """Connects where needed, and sends a request."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                *self.address, ssl=self.tls, limit=1 << 22
            )
        self.writer.write(question.encode())
        await self.writer.drain()

    async def head(self) -> tuple[int, dict]:
        """The status and the headers of the response."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.split(":", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {k.strip().lower(): v.strip() for k, v in pairs}

    async def chunks(self, status: int, headers: dict):
        """The pieces of the body as they arrive. 204 and 304 never have one (RFC 9112, section 6.3)."""
        if status in (204, 304):
            return
        if "chunked" in headers.get("transfer-encoding", ""):
            while size := int((await self.reader.readuntil(b"\r\n")).split(b";")[0], 16):
                yield (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readuntil(b"\r\n")
        elif "content-length" in headers:
            yield await self.reader.readexactly(int(headers["content-length"]))
        else:
            while piece := await self.reader.read(1 << 16):
                yield piece
            await self.close()

    async def ask(self, question: Question) -> Answer:
        """Sends a request and reads the whole response."""
        try:
            await self.send(question)
            status, headers = await self.head()
            body = b"".join([piece async for piece in self.chunks(status, headers)])
        except BaseException:
            await self.close()
            raise
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return Answer(status, headers, body)

    async def close(self) -> None:
        """Closes the connection; the next request opens another."""
        writer, self.writer = self.writer, None
        if writer is not None:
            writer.close()


async def ask(port: int, question: Question, timeout: float = 60, tls=None) -> Answer:
    """One request on a connection of its own."""
    connection = Connection(port, tls=tls)
    try:
        return await asyncio.wait_for(connection.ask(question), timeout)
    finally:
        await connection.close()
