"""The proxies, started with the configurations that are shipped."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from client import KEY, ask, get
from replicas import free_port

DEPLOY = Path(__file__).resolve().parent.parent


def render(template: Path, values: dict) -> str:
    """Replaces every `${NAME}` in capitals, as envsubst does. A name without a value is an error."""
    return re.sub(r"\$\{([A-Z][A-Z0-9_]*)\}", lambda name: str(values[name[1]]), template.read_text())


class Proxy:
    """A proxy in front of three replicas; a context manager that ends it."""

    name = template = ""
    program = ""
    # Seconds in which a replica that hangs is taken out.
    hang_bound = 5.0
    # Requests that may find out whether it still hangs, in the four seconds after.
    late_probes = 0

    def __init__(self, folder: str, replicas, tls: str, rate_limit: int = 100000):
        self.folder = Path(folder) / self.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.port, self.tls_port, self.admin_port = free_port(), free_port(), free_port()
        self.values = {
            "LISTEN_ADDRESS": "127.0.0.1",
            "HTTP_PORT": self.port,
            "HTTPS_PORT": self.tls_port,
            "ADMIN_PORT": self.admin_port,
            "HAPROXY_SOCKET": self.folder / "admin.sock",
            "TLS_DIR": tls,
            "API_KEY": KEY,
            "RATE_LIMIT": rate_limit,
        }
        for replica in replicas:
            self.values[f"REPLICA_{replica.number}_HOST"] = "127.0.0.1"
            self.values[f"REPLICA_{replica.number}_PORT"] = replica.port
        self.log = self.folder / "log"
        self.process = None

    @classmethod
    def installed(cls) -> bool:
        """Whether its program can be run."""
        return shutil.which(cls.program) is not None

    def configuration(self) -> Path:
        """The shipped file with its placeholders replaced."""
        path = self.folder / Path(self.template).name
        path.write_text(render(DEPLOY / "proxy" / self.template, self.values))
        return path

    def command(self) -> list:
        """How the program is started in the foreground."""
        raise NotImplementedError

    async def __aenter__(self):
        command = self.command()
        environment = os.environ | {k: str(v) for k, v in self.values.items()}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            await self.ready()
        except BaseException:
            self.stop()
            print(self.log.read_text()[-2000:])
            raise
        return self

    async def __aexit__(self, *_):
        self.stop()

    def stop(self) -> None:
        """Ends the process."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    async def ready(self) -> None:
        """Waits until requests pass."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                if (await ask(self.port, get("/health"), 2)).status == 200:
                    await asyncio.sleep(1.5)
                    return
            except (OSError, EOFError, asyncio.TimeoutError):
                pass
            await asyncio.sleep(0.05)
        raise AssertionError(f"{self.name} does not start")

    async def retries(self) -> int:
        """How many requests went to a second replica so far."""
        raise NotImplementedError


class Envoy(Proxy):
    name, template, program = "envoy", "envoy/envoy.yaml", "envoy"

    def command(self) -> list:
        return ["envoy", "-c", self.configuration(), "--use-dynamic-base-id", "-l", "warning",
                "--concurrency", "2"]

    async def retries(self) -> int:
        stats = await ask(self.admin_port, get("/stats?filter=upstream_rq_retry$&format=json"), 5)
        return sum(stat["value"] for stat in stats.json()["stats"] if "value" in stat)


class HAProxy(Proxy):
    name, template, program = "haproxy", "haproxy/haproxy.cfg", "haproxy"

    def command(self) -> list:
        # HAProxy reads its settings from the environment: the file is used as it is.
        return ["haproxy", "-W", "-db", "-f", str(DEPLOY / "proxy" / self.template)]

    async def retries(self) -> int:
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self.folder / "admin.sock"))
            admin.sendall(b"show stat\n")
            text = b"".join(iter(lambda: admin.recv(65536), b"")).decode()
        rows = [line.split(",") for line in text.splitlines() if line]
        columns = [rows[0].index(name) for name in ["wretr", "wredis"]]
        servers = [row for row in rows[1:] if row[1].startswith("replica")]
        return sum(int(row[column] or 0) for row in servers for column in columns)


class Nginx(Proxy):
    name, template, program = "nginx", "nginx/nginx.conf", "nginx"
    # The time in which a replica must answer, and what the busy machine adds.
    hang_bound = 25.0
    # One every 5 s in each of the two groups of replicas.
    late_probes = 2

    def command(self) -> list:
        settings = f"daemon off; pid {self.folder}/nginx.pid;"
        return ["nginx", "-p", str(self.folder), "-c", str(self.configuration()), "-g", settings]

    async def retries(self) -> int:
        lines = self.log.read_text().splitlines()
        rows = [json.loads(line) for line in lines if line.startswith("{")]
        return sum(bool(re.search(r"[,:] ", row["replicas"])) for row in rows)


PROXIES = [Envoy, HAProxy, Nginx]
