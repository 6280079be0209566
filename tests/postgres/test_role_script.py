"""What deploy/docker-compose.yml runs to make the role of workers, against a real PostgreSQL."""

import os
import subprocess
from pathlib import Path

import yaml

from tests.postgres.conftest import PROGRAMS

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ROLE = yaml.safe_load((DEPLOY / "docker-compose.yml").read_text())["services"]["role"]


def test_the_role_gets_its_rights_and_its_password_every_time(database):
    source, place, _ = ROLE["volumes"][0].split(":")
    words = [word.replace("$$", "$").replace(place, str(DEPLOY / source)) for word in ROLE["command"]]
    for password in ("first'\\$one", "second"):
        own = {
            "PATH": f"{PROGRAMS[-1]}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(database.cluster.port),
            "PGUSER": "postgres",
            "PGDATABASE": database.name,
            "WORKER_PASSWORD": password,
        }
        assert set(ROLE["environment"]) - set(own) == {"PGPASSWORD"}
        subprocess.run(words, env=own, check=True, timeout=30)
    kept = "SELECT rolpassword LIKE 'SCRAM-SHA-256$%%', rolsuper FROM pg_authid WHERE rolname = 'tensorgrade_worker'"
    assert database.query(kept) == [(True, False)]
    assert database.query("SELECT count(*) FROM judgings WHERE id = 'x'", user="tensorgrade_worker") == [(0,)]
    database.query("ALTER ROLE tensorgrade_worker PASSWORD NULL")
