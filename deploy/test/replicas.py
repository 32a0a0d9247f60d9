"""Replicas of the service as processes that can be killed, stopped and started again."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import time

from client import ask, get


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Replica:
    """One process of the service on a port of its own."""

    def __init__(self, binary: str, folder: str, number: int, settings: dict):
        self.binary, self.number = binary, number
        self.port = free_port()
        self.log = os.path.join(folder, f"replica-{number}.log")
        open(self.log, "wb").close()
        self.settings = {k: str(v) for k, v in settings.items()}
        self.process = None

    def start(self) -> None:
        """Starts the process without waiting for it."""
        settings = {"HOST": "127.0.0.1", "PORT": str(self.port), "LOG_FORMAT": "json"}
        environment = os.environ | settings | self.settings
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([self.binary], env=environment, stderr=log, stdout=log)

    async def ready(self, timeout: float = 20) -> None:
        """Waits until the replica says that it is ready."""
        end = time.monotonic() + timeout
        while True:
            try:
                if (await ask(self.port, get("/health/ready"), 2)).status == 200:
                    return
            except (OSError, EOFError, asyncio.TimeoutError):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"replica {self.number} is not ready after {timeout} s")
            await asyncio.sleep(0.02)

    def signal(self, number: int) -> None:
        """Sends a signal to the process."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    async def terminate(self, timeout: float = 30) -> int:
        """SIGTERM, and the exit status."""
        self.process.terminate()
        return await asyncio.to_thread(self.process.wait, timeout)

    async def metrics(self) -> dict:
        """Every sample of `/metrics` without labels, and sums over labels by name."""
        text = (await ask(self.port, get("/metrics"), 10)).body.decode()
        sums: dict = {}
        for name, value in re.findall(r"^(\w+)(?:\{.*\})? (\S+)$", text, re.M):
            sums[name] = sums.get(name, 0.0) + float(value)
        return sums

    def stop(self) -> None:
        """Ends the process, whatever state it is in."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()


class Replicas:
    """Some replicas with the same settings; a context manager that ends them."""

    def __init__(self, binary: str, folder: str, count: int = 3, **settings):
        self.all = [Replica(binary, folder, i + 1, settings) for i in range(count)]

    async def __aenter__(self):
        for replica in self.all:
            replica.start()
        await asyncio.gather(*(replica.ready() for replica in self.all))
        return self

    async def __aexit__(self, *_):
        for replica in self.all:
            replica.stop()

    def __iter__(self):
        return iter(self.all)

    def __getitem__(self, index: int) -> Replica:
        return self.all[index]

    async def total(self, name: str) -> float:
        """The sum of a metric over all replicas."""
        return sum([(await replica.metrics()).get(name, 0.0) for replica in self.all])
