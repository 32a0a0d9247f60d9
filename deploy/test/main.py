"""Runs the scenarios and prints their figures: main.py [--short] [--part PART] [--only WORD] (see `run`)."""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import access
import balance
import caching
import compose
import failover
import manifests
import observability
import overload
import streaming
from proxies import PROXIES


class Stage:
    """What all scenarios share: the program, a folder, a certificate, and how long to wait."""

    def __init__(self, binary: str, folder: str, short: bool):
        self.binary, self.folder, self.short = binary, folder, short
        self.proxies = [proxy for proxy in PROXIES if proxy.installed()]
        self.pause = 1.0 if short else 3.0
        self.tls = os.path.join(folder, "tls")
        os.makedirs(self.tls)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", "/CN=bestmove.test",
             "-addext", "subjectAltName=DNS:bestmove.test,IP:127.0.0.1",
             "-keyout", f"{self.tls}/tls.key", "-out", f"{self.tls}/tls.crt"],
            check=True, capture_output=True)
        os.chmod(folder, 0o755)


# Each with whether it belongs to the short form.
OF_EACH_PROXY = [
    (failover.replicas_die_and_are_replaced, True),
    (failover.a_replica_that_hangs_is_taken_out, False),
    (failover.answers_are_byte_identical, True),
    (overload.overload_is_refused_and_recovers, True),
    (streaming.streams_are_unbuffered_and_cancelled, True),
    (access.the_proxy_guards_the_service, True),
    (observability.logs_carry_the_trace, True),
    (balance.hashing_raises_the_hit_ratio, False),
]
OTHERS = [
    (manifests.manifests_are_strictly_valid, True),
    (manifests.every_public_route_passes_the_gateway, True),
    (manifests.the_rules_of_the_operator_are_the_tested_ones, True),
    (observability.the_rules_pass_their_unit_tests, True),
    (observability.every_query_of_the_dashboard_returns_a_series, True),
    (compose.compose_belongs_together, True),
    (caching.the_cache_takes_its_share, True),
    (balance.two_replicas_search_twice_as_much, False),
]


def plan(options) -> list:
    """The scenarios to run, by name."""
    found = []
    for proxy in PROXIES:
        if not proxy.installed():
            print(f"skipped: {proxy.name} is not installed")
            continue
        for scenario, in_short in OF_EACH_PROXY:
            if in_short or not options.short:
                found.append((f"{proxy.name}: {scenario.__name__}", scenario, [proxy]))
    if not found:
        sys.exit("no proxy is installed")
    others = [(s.__name__, s, []) for s, in_short in OTHERS if in_short or not options.short]
    parts = {"all": others + found, "proxies": found, "others": others}
    return [case for case in parts[options.part] if options.only in case[0]]


async def run(stage: Stage, cases: list) -> list:
    """Runs the cases in turn. Returns the names of those that failed."""
    failed = []
    for name, scenario, arguments in cases:
        start = time.monotonic()
        print(f"\n{name.replace('_', ' ')}", flush=True)
        try:
            await scenario(stage, *arguments)
            print(f"  ok, {time.monotonic() - start:.1f} s", flush=True)
        except Exception:  # noqa: BLE001: whatever went wrong, the next scenario runs
            failed.append(name)
            traceback.print_exc(file=sys.stdout, limit=-3)
    return failed


def main() -> None:
    """Reads the options, runs, and says how many passed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true", help="what CI runs, in three minutes")
    parser.add_argument("--part", choices=["all", "proxies", "others"], default="all")
    parser.add_argument("--only", default="", help="only scenarios whose name has this text")
    options = parser.parse_args()
    binary = str(Path(os.environ["BESTMOVE"]).resolve())
    with tempfile.TemporaryDirectory(prefix="bestmove-deploy-") as folder:
        cases = plan(options)
        failed = asyncio.run(run(Stage(binary, folder, options.short), cases))
    print(f"\n{len(cases) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed or not cases else 0)


if __name__ == "__main__":
    main()
