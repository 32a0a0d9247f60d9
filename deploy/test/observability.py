"""Prometheus: its configuration, its rules, and every query of the dashboard on a real run."""

import asyncio
import json
import math
import re
import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

import yaml

from client import NDJSON, Connection, Question, ask, get, post
from overload import heavy
from proxies import DEPLOY
from replicas import Replicas, free_port
from traffic import positions, questions, with_answers

OBSERVABILITY = DEPLOY / "observability"


async def the_rules_pass_their_unit_tests(stage) -> None:
    """promtool, a firing case for every alert, and a section of the runbook."""
    rules = OBSERVABILITY / "rules"
    subprocess.run(["promtool", "check", "config", "prometheus.yml"], cwd=OBSERVABILITY, check=True,
                   capture_output=True)
    subprocess.run(["promtool", "test", "rules", "alerts.test.yaml"], cwd=rules, check=True)
    groups = yaml.safe_load((rules / "alerts.rules.yaml").read_text())["groups"]
    alerts = {rule["alert"]: rule["annotations"]["runbook"] for group in groups for rule in group["rules"]}
    tests = yaml.safe_load((rules / "alerts.test.yaml").read_text())["tests"]
    fired = {case["alertname"] for test in tests for case in test.get("alert_rule_test", [])
             if case.get("exp_alerts")}
    assert fired == set(alerts), f"without a firing case: {set(alerts) - fired}"
    text = (DEPLOY.parent / "docs/operations.md").read_text()
    sections = {f"docs/operations.md#{title.lower()}" for title in re.findall(r"^#+ (\w+)$", text, re.M)}
    missing = set(alerts.values()) - sections
    assert not missing, f"without a section: {missing}"
    print(f"  {len(alerts)} alerts, each fired in a test, each with a section in docs/operations.md")


class Prometheus:
    """A Prometheus with the shipped configuration, but other targets and intervals of a second."""

    def __init__(self, folder: str, replicas):
        self.folder, self.port = Path(folder) / "prometheus", free_port()
        shutil.copytree(OBSERVABILITY, self.folder)
        text = (OBSERVABILITY / "prometheus.yml").read_text().replace("15s", "1s")
        (self.folder / "prometheus.yml").write_text(text)
        targets = [{"targets": [f"127.0.0.1:{replica.port}" for replica in replicas]}]
        (self.folder / "targets/bestmove.yaml").write_text(yaml.safe_dump(targets))

    async def __aenter__(self):
        command = ["prometheus", f"--config.file={self.folder}/prometheus.yml",
                   f"--storage.tsdb.path={self.folder}/data", f"--web.listen-address=127.0.0.1:{self.port}"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if (await ask(self.port, get("/-/ready"), 2)).status == 200:
                    return self
            except (OSError, EOFError):
                await asyncio.sleep(0.1)
        self.process.kill()
        raise AssertionError("Prometheus does not start")

    async def __aexit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    async def query(self, expression: str) -> list:
        """The series of an instant query."""
        answer = await ask(self.port, get(f"/api/v1/query?query={quote(expression)}"), 10)
        assert answer.status == 200, f"{expression}: {answer.body}"
        return answer.json()["data"]["result"]


def dashboard_queries() -> list[tuple[str, str]]:
    """The title and the expression of every target."""
    panels = json.loads((OBSERVABILITY / "grafana/bestmove.json").read_text())["panels"]
    return [(p["title"], t["expr"]) for p in panels for t in p.get("targets", [])]


async def every_query_of_the_dashboard_returns_a_series(stage) -> None:
    """Against a real Prometheus that scrapes two replicas under mixed traffic."""
    async with Replicas(stage.binary, stage.folder, 2, WORKERS=1, QUEUE=2) as replicas:
        async with Prometheus(stage.folder, replicas) as prometheus:
            await mixed_traffic(replicas, 12 if stage.short else 20)
            empty, count = [], 0
            for title, expression in dashboard_queries():
                expression = expression.replace("$job", "bestmove").replace("$__rate_interval", "15s")
                series = await prometheus.query(expression)
                numbers = [float(one["value"][1]) for one in series]
                count += 1
                if not any(math.isfinite(number) for number in numbers):
                    empty.append(f"{title}: {expression}")
            assert not empty, "\n".join(empty)
            rules = (await ask(prometheus.port, get("/api/v1/rules"), 10)).json()["data"]["groups"]
            health = [rule["health"] for group in rules for rule in group["rules"]]
            up = await prometheus.query("up == 1")
            text = (await ask(replicas[0].port, get("/metrics"), 10)).body
            checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
            assert checked.returncode == 0, checked.stderr
    assert set(health) == {"ok"} and len(up) == 2, (health, up)
    print(f"  {count} queries of the dashboard, each with a series; {len(health)} rules evaluated without a fault")


async def mixed_traffic(replicas, seconds: float) -> None:
    """All games, refusals, clients that leave, streams and batches, for so long."""
    asked = questions(await positions(replicas[0].port, 40, 11), 12, 3000)
    end = time.monotonic() + seconds
    await with_answers(replicas[1].port, asked)
    while time.monotonic() < end:
        for replica in replicas:
            await with_answers(replica.port, asked[:20])
            await asyncio.gather(*(ask(replica.port, heavy(n)) for n in range(4)))
            await ask(replica.port, post("/best-move/stream", {"game": "checkers", "nodes": 3000}))
            await ask(replica.port, Question("POST", "/best-move/batch", b'{"game": "chess", "nodes": 2000}\n', NDJSON))
            leaver = Connection(replica.port)
            await leaver.send(post("/best-move", {"game": "chess", "time_ms": 10000}))
            await asyncio.sleep(0.2)
            await leaver.close()
        await asyncio.sleep(0.2)


async def logs_carry_the_trace(stage, proxy_class) -> None:
    """A request with `traceparent` has one JSON line at the proxy and one at a replica that name it."""
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with Replicas(stage.binary, stage.folder, WORKERS=1) as replicas:
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            asked = get("/best-move?game=tic-tac-toe", traceparent=trace, x_request_id="trace-test")
            answer = await ask(proxy.port, asked)
            assert answer.status == 200 and answer.headers["x-request-id"] == "trace-test", answer
            await asyncio.sleep(0.3)
        lines = [line for path in [proxy.log, *(Path(r.log) for r in replicas)]
                 for line in path.read_text().splitlines() if trace in line]
    records = [json.loads(line) for line in lines]
    assert len(records) == 2, lines
    span = next(record["span"] for record in records if "span" in record)
    assert (span["traceparent"], span["id"]) == (trace, "trace-test"), span
    print(f"  {len(records)} lines: the proxy's and the replica's")
