"""compose.yaml: its files exist, every placeholder has a value, and its services belong together."""

import re
from pathlib import Path

import compose_spec
import yaml

from proxies import DEPLOY

TEMPLATES = {"proxy": "proxy/haproxy/haproxy.cfg", "cache": "cache/nginx.conf"}


def seconds(duration: str) -> int:
    """A duration such as `30s`."""
    return int(duration.removesuffix("s"))


async def compose_belongs_together(stage) -> None:
    """The types and names of its fields, and what they refer to; nothing is started."""
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    compose_spec.ComposeSpecification.model_validate(document)
    services = document["services"]
    mounted = 0
    known = {field.alias or name for name, field in compose_spec.Service.model_fields.items()}
    for name, service in services.items():
        unknown = set(service) - known
        assert not unknown, f"{name}: compose knows no {unknown}"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("./") and source != "./tls":
                assert (DEPLOY / source).exists(), f"{name}: {source} is missing"
                mounted += 1
            elif not source.startswith("./"):
                assert source in document["volumes"], f"{name}: {source} is no volume"
        assert all(other in services for other in service.get("depends_on", [])), name
    for name, template in TEMPLATES.items():
        assert any(template in volume for volume in services[name]["volumes"]), name
        wanted = set(re.findall(r"\$\{([A-Z][A-Z0-9_]*)\}", (DEPLOY / template).read_text()))
        missing = wanted - set(services[name]["environment"])
        assert not missing, f"{name}: without a value: {missing}"
    targets = yaml.safe_load((DEPLOY / "observability/targets/bestmove.yaml").read_text())
    scraped = {target.split(":")[0] for group in targets for target in group["targets"]}
    replicas = {name for name in services if name.startswith("bestmove-")}
    hosts = {v for k, v in services["proxy"]["environment"].items() if re.match(r"REPLICA_\d_HOST", k)}
    assert scraped == replicas == hosts, (scraped, replicas, hosts)
    for name in replicas:
        assert seconds(services[name]["stop_grace_period"]) > 26, "shorter than DRAIN_MS and a second"
    assert (Path(DEPLOY) / services["bestmove-1"]["build"] / "Dockerfile").exists()
    print(f"  {len(services)} services, {mounted} files mounted, all placeholders set")
