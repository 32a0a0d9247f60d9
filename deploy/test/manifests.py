"""The Kubernetes manifests: each overlay renders, and has no field that Kubernetes does not know."""

import copy
import json
import os
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import yaml

from proxies import DEPLOY

KUBERNETES = DEPLOY / "kubernetes"
# The oldest and the newest release that the manifests are for.
RELEASES = ["1.33", "1.37"]
TYPES = {
    "HTTPRoute": "gateway-api/gateway.networking.k8s.io/v1/HTTPRoute",
    "ServiceMonitor": "prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor",
    "PrometheusRule": "prometheus-operator/monitoring.coreos.com/v1/PrometheusRule",
}


def render(overlay: Path) -> list[dict]:
    """What kustomize makes of an overlay."""
    text = subprocess.run(["kubectl", "kustomize", overlay], check=True, capture_output=True, text=True)
    return list(yaml.safe_load_all(text.stdout))


def core_faults(resources: list[dict]) -> list[str]:
    """What the schemas of Kubernetes say against its own resources, unknown fields included."""
    import kubernetes_validate

    faults = []
    for resource in resources:
        for release in [] if resource["kind"] in TYPES else RELEASES:
            try:
                kubernetes_validate.validate(resource, release, strict=True)
            except kubernetes_validate.ValidationError as error:
                faults.append(f"{resource['kind']} for {release}: {error}")
    return faults


def custom_faults(resources: list[dict], folder: str) -> list[str]:
    """What TypeScript says against custom resources: their types allow no unknown field."""
    custom = [r for r in resources if r["kind"] in TYPES]
    if not custom:
        return []
    tools = Path(os.environ["DEPLOY_TEST_TOOLS"])
    lines = []
    for number, resource in enumerate(custom):
        kind = resource["kind"]
        lines.append(f'import type {{I{kind} as T{number}}} from "@kubernetes-models/{TYPES[kind]}";')
        lines.append(f"export const r{number}: T{number} = {json.dumps(resource)};")
    source = Path(folder) / "resources.ts"
    source.write_text("\n".join(lines))
    modules = Path(folder) / "node_modules"
    if not modules.exists():
        modules.symlink_to(tools / "node_modules")
    options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    check = ["node", tools / "node_modules/typescript/bin/tsc", *options, source]
    done = subprocess.run(check, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode else []


def find(resources: list[dict], kind: str) -> dict:
    """The resource of this kind."""
    return next(resource for resource in resources if resource["kind"] == kind)


def mebibytes(quantity: str) -> int:
    """A quantity of memory."""
    units = {"Mi": 1, "Gi": 1024}
    return int(quantity[:-2]) * units[quantity[-2:]]


def check_agreement(resources: list[dict]) -> str:
    """Settings that belong together. Returns them in words."""
    settings = find(resources, "ConfigMap")["data"]
    pod = find(resources, "Deployment")["spec"]["template"]["spec"]
    container = pod["containers"][0]
    grace = pod["terminationGracePeriodSeconds"]
    stop = container["lifecycle"]["preStop"]["sleep"]["seconds"] + int(settings["DRAIN_MS"]) / 1000 + 1
    assert grace > stop, f"a pod has {grace} s to end and needs {stop} s"
    limit = mebibytes(container["resources"]["limits"]["memory"])
    needed = int(settings["MEMORY_MB"]) + int(settings["CACHE_MB"])
    assert limit >= needed + 64, f"{limit} MiB for {needed} MiB of tables and cache"
    scaler = find(resources, "HorizontalPodAutoscaler")["spec"]
    names = {r["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"]
             for r in resources if r["kind"] in ["Deployment", "PodDisruptionBudget", "ServiceMonitor"]}
    assert names == {"bestmove"} and {r["metadata"]["namespace"] for r in resources} == {"bestmove"}
    return (f"{scaler['minReplicas']} to {scaler['maxReplicas']} replicas, grace {grace} s of {stop:.0f} s, "
            f"memory {limit} MiB for {needed} MiB")


async def manifests_are_strictly_valid(stage) -> None:
    """Each overlay, and then each with a wrong field."""
    for overlay in sorted((KUBERNETES / "overlays").iterdir()):
        resources = render(overlay)
        faults = core_faults(resources) + custom_faults(resources, stage.folder)
        assert not faults, "\n".join(faults)
        kinds = sorted(resource["kind"] for resource in resources)
        print(f"  {overlay.name}: {len(kinds)} resources ({', '.join(kinds)}); {check_agreement(resources)}")
        caught = [caught_in(resources, path, stage.folder) for path in wrong_fields(resources)]
        print(f"  {overlay.name}: {len(caught)} wrong fields, all caught: {', '.join(caught)}")


# What only the inside asks for.
INSIDE = {"/metrics", "/health/ready"}


async def every_public_route_passes_the_gateway(stage) -> None:
    """The HTTPRoute leads to the pages and to each path of the contract, and to none that is for the inside."""
    rules = find(render(KUBERNETES / "overlays/production"), "HTTPRoute")["spec"]["rules"]
    matches = [match["path"] for rule in rules for match in rule["matches"]]
    paths = set(yaml.safe_load((DEPLOY.parent / "openapi.yaml").read_text())["paths"])
    paths |= {"/", "/web/app.js", "/docs/page.js"}
    routed = {path for path in paths if any(leads(match, path) for match in matches)}
    assert routed == paths - INSIDE, routed ^ (paths - INSIDE)
    print(f"  {len(routed)} paths pass, {len(INSIDE)} do not")


def leads(match: dict, path: str) -> bool:
    """Whether a path match of the Gateway API takes this path."""
    value = match["value"]
    if match["type"] == "RegularExpression":
        return re.fullmatch(value, path) is not None
    return path == value or (match["type"] == "PathPrefix" and path.startswith(value + "/"))


def wrong_fields(resources: list[dict]) -> list[tuple]:
    """Where to put a field that does not exist: the kind, then the way down."""
    ways = [("Deployment", "spec", "template", "spec", "containers", 0, "securityContext"),
            ("HorizontalPodAutoscaler", "spec", "behavior"), ("HTTPRoute", "spec", "rules", 0),
            ("ServiceMonitor", "spec", "endpoints", 0), ("PrometheusRule", "spec", "groups", 0, "rules", 0)]
    return [way for way in ways if any(r["kind"] == way[0] for r in resources)]


def caught_in(resources: list[dict], way: tuple, folder: str) -> str:
    """Adds a wrong field there, and returns the way when the validation sees it."""
    changed = copy.deepcopy(resources)
    place = find(changed, way[0])
    for step in way[1:]:
        place = place[step]
    place["runAsNobody"] = True
    faults = core_faults(changed) + custom_faults(changed, folder)
    assert any("runAsNobody" in fault for fault in faults), f"not caught: {way} {faults}"
    return "/".join(map(str, way))


async def the_rules_of_the_operator_are_the_tested_ones(stage) -> None:
    """The PrometheusRule has the rules that promtool tests."""
    sys.dont_write_bytecode = True
    path = str(DEPLOY / "observability/write-prometheus-rule")
    module = SourceFileLoader("write_prometheus_rule", path).load_module()
    shipped = yaml.safe_load((KUBERNETES / "components/monitoring/prometheus-rule.yaml").read_text())
    assert shipped == module.prometheus_rule(), "run deploy/observability/write-prometheus-rule"
    print(f"  {sum(len(g['rules']) for g in shipped['spec']['groups'])} rules")
