"""Tournament files: each wrong key or value is named, with what was expected."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from arena.plan.entries import local_plan
from arena.plan.seeding import UNDRAWN
from arena.plan.settings import DECIDING, RUNNING, RunSettings, TournamentSettings, Verify
from arena.plan.tournament_file import Plan, beside, next_time, parse_plan
from ratings.ledger.secret_seed import commitment, secret_seed
from referee.mistakes import UserError
from referee.order import TimeControl

BOT = Path(__file__).parents[3] / "sample_bots" / "python"


def entries(count: int = 8) -> list[dict[str, str]]:
    return [{"path": str(BOT), "name": f"r{number}"} for number in range(count)]


def plain(**changes: Any) -> dict[str, Any]:
    whole = {"name": "cup", "game": "toy", "seed": 7, "rounds": 3, "bot": entries()} | changes
    return {key: value for key, value in whole.items() if value is not None}


def test_a_good_file_is_read_with_its_defaults() -> None:
    plan = parse_plan(plain(), beside(Path()))
    assert [bot.manifest.name for bot in plan.bots] == [f"r{number}" for number in range(8)]
    settings = plan.settings
    assert (settings.games[0].sizes.least, settings.games[0].sizes.most, settings.games[0].sizes.preferred) == (2, 5, 4)
    assert (settings.points_rounds, settings.rating_rounds) == (3, 0)
    assert settings.format == "swiss"
    assert settings.block
    assert settings.time_control == TimeControl()
    assert plan.run.verify is Verify.ALL


@pytest.mark.parametrize(("preset", "rounds"), [("quick", (5, 0)), ("standard", (5, 4)), ("overnight", (5, 100_000))])
def test_T10_presets_set_the_rounds(preset: str, rounds: tuple[int, int]) -> None:
    plan = parse_plan(plain(rounds=None, preset=preset), beside(Path()))
    assert (plan.settings.points_rounds, plan.settings.rating_rounds) == rounds


def stored(plan: Plan) -> tuple[TournamentSettings, RunSettings]:
    """Return the settings of a plan as they come back from the store, which keeps JSON."""
    kept = json.loads(json.dumps([plan.settings.to_plain(), plan.run.to_plain()]))
    return TournamentSettings.from_plain(kept[0]), RunSettings.from_plain(kept[1])


def test_stored_settings_are_those_that_were_stored() -> None:
    plan = parse_plan(plain(options={"toy": {"rounds": 2}}, until="07:00", seats=3), beside(Path()))
    assert stored(plan) == (plan.settings, plan.run)


def test_T2_6_the_ledger_keeps_the_seeding_of_a_tournament() -> None:
    plan = parse_plan(plain(seeding="per_block", fresh_process=True), beside(Path()))
    assert plan.settings.to_plain()["seeding"] == "per_block"
    assert parse_plan(plain(), beside(Path())).settings.to_plain()["seeding"] == "per_game"


def test_T9_anchors_are_house_bots_with_a_rating() -> None:
    plan = parse_plan(plain(house_bots=[str(BOT)], anchors={"random": 1100}), beside(Path()))
    assert dict(plan.settings.anchors) == {plan.house_bots[0].label: 1100}
    assert plan.settings.to_plain()["anchors"] == dict(plan.settings.anchors)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"colour": "red"}, "colour: unknown key"),
    ({"fresh_proces": True}, "(did you mean 'fresh_process'?)"),
    ({"time_control": {"bank_m": 3}}, "(did you mean 'bank_ms'?)"),
    ({"seeding": "table"}, "seeding: 'table' is not allowed; expected one of: per_game, per_block"),
    ({"seeding": "per_block"}, "seeding: 'per_block' needs fresh_process = true"),
    ({"best_of": 3}, "best_of: only a knockout has one; expected format = 'knockout'"),
    ({"name": None}, "name: None is not allowed"),
    ({"name": "../etc"}, "name: '../etc' is not allowed"),
    ({"game": None}, "game: expected exactly one of"),
    ({"games": ["toy"]}, "game: expected exactly one of"),
    ({"game": "halma"}, "game: 'halma' is unknown"),
    ({"game": None, "games": []}, "games: expected at least one game"),
    ({"game": None, "games": ["toy", "toy"]}, "games: expected at least one game, each once"),
    ({"game": None, "games": "toy"}, "games: 'toy' is not allowed"),
    ({"options": {"halma": {}}}, "options.halma: is not a game of this tournament"),
    ({"options": {"toy": {"rounds": 9}}}, "options.toy.rounds: 9 is not allowed; expected a whole number from 1 to 5"),
    ({"options": {"toy": {"round": 1}}}, "options.toy.round: unknown key"),
    (
        {"options": {"toy": {"rounds": "two"}}},
        "options.toy.rounds: 'two' is not allowed; expected a whole number",
    ),
    ({"options": {"toy": 3}}, "options.toy: 3 is not allowed"),
    ({"bot": None}, "bots: expected a list of bot directories"),
    ({"bot": None, "bots": ["no/such/bot"]}, "not a bot directory"),
    ({"bot": [{"path": str(BOT), "colour": "red"}]}, "bot.colour: unknown key"),
    ({"bot": [{"name": "r"}]}, "bot.path: None is not allowed"),
    ({"bot": [*entries(), {"path": str(BOT), "name": "\x07"}]}, "bot.name: '\\x07' is not allowed"),
    ({"bot": entries() + entries(1)}, "is entered twice"),
    (
        {"bot": [{"path": str(BOT), "name": name} for name in ("Star", "far", "STAR")]},
        "bot.name: 'STAR' looks like 'Star'",
    ),
    (
        {"bot": [{"path": str(BOT), "name": name} for name in ("cacao", "сасао")]},
        "bot.name: 'сасао' looks like 'cacao'",
    ),
    ({"bot": [*entries(), {"path": str(BOT), "name": "--help"}]}, "bot.name: '--help' is not allowed"),
    ({"bot": entries(1)}, "bots: 1 bots cannot fill a table"),
    ({"house_bots": ["no/such/bot"]}, "not a bot directory"),
    ({"anchors": {"nobody": 1500}}, "anchors.nobody: is not a house bot"),
    ({"house_bots": [str(BOT)], "anchors": {"random": "strong"}}, "anchors.random: 'strong' is not allowed"),
    ({"seats": 6}, "seats: 6 is not allowed"),
    ({"game": "nuremberg", "seats": 2}, "seats: 2 (from 3 to 4) does not fit nuremberg"),
    ({"min_seats": 4, "seats": 3}, "seats: 3 (from 4 to 5) does not fit toy"),
    ({"rounds": 0}, "rounds: 0 is not allowed"),
    ({"rounds": "three"}, "rounds: 'three' is not allowed"),
    ({"rounds": True}, "rounds: True is not allowed"),
    ({"rating_rounds": -1}, "rating_rounds: -1 is not allowed"),
    ({"preset": "forever"}, "preset: 'forever' is not allowed"),
    ({"format": "ladder"}, "format: 'ladder' is not allowed"),
    ({"format": "round_robin"}, "rounds: a round_robin has its own number of rounds"),
    ({"format": "gauntlet", "rounds": None}, "challenger: None is not allowed"),
    ({"format": "gauntlet", "rounds": None, "challenger": "nobody"}, "challenger: 'nobody' is not one of the bots"),
    ({"challenger": "r0"}, "challenger: only a gauntlet has one"),
    ({"block": "yes"}, "block: 'yes' is not allowed"),
    ({"seed": -1}, "seed: -1 is not allowed"),
    ({"beacon": "a lottery"}, "seed: a given seed takes no beacon and no nonces"),
    ({"nonces": ["beacon"]}, "nonces: the name 'beacon' is not allowed: it is the beacon's"),
    ({"nonces": ["a|b"]}, "nonces: the name 'a|b' is not allowed: expected printable ASCII"),
    ({"nonces": ["ann", "ann"]}, "nonces: a name appears twice; expected each author once"),
    ({"time_control": {"bank": 3}}, "time_control.bank: unknown key"),
    ({"time_control": {"bank_ms": -3}}, "time_control.bank_ms: -3 is not allowed"),
    ({"time_control": []}, "time_control: [] is not allowed"),
    ({"fresh_process": 1}, "fresh_process: 1 is not allowed"),
    ({"withdraw_after": 0}, "withdraw_after: 0 is not allowed"),
    ({"match_budget": 0}, "match_budget: 0 is not allowed"),
    ({"referees": 0}, "referees: 0 is not allowed"),
    ({"concurrency": 9999}, "concurrency: 9999 is not allowed"),
    ({"verify": "maybe"}, "verify: 'maybe' is not allowed"),
    ({"spectator_delay": -1}, "spectator_delay: -1 is not allowed"),
    ({"until": "late"}, "until: 'late' is not a time of day"),
]


@pytest.mark.parametrize(
    ("changes", "told"), WRONG, ids=[told.partition(":")[0] + str(n) for n, (_, told) in enumerate(WRONG)]
)
def test_a_wrong_key_or_value_is_named(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_plan(plain(**changes), beside(Path()))
    assert told in str(refused.value)


def test_a_bot_that_does_not_play_the_game_is_named(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "shy"\ngames = ["norenberc"]\ncommand = ["true"]\n')
    with pytest.raises(UserError, match="shy does not play toy"):
        parse_plan(plain(bots=[str(tmp_path)]), beside(Path()))


@pytest.mark.parametrize(
    "content", [b"name = ", b"\xff\xfe", None, b"x" * (5 << 20)], ids=["broken", "no text", "missing", "huge"]
)
def test_an_unreadable_file_gets_one_line_and_exit_code_2(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "cup.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError):
        local_plan(file, None)
    run = subprocess.run(
        [sys.executable, "-m", "arena", "tournament", "run", str(file)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert str(file) in run.stderr
    assert not (tmp_path / "arena.db").exists(), "nothing is created for a file that cannot be read"


def test_until_is_the_next_time_the_clock_shows_it() -> None:
    evening = datetime(2030, 5, 1, 22, 30, tzinfo=UTC)
    assert next_time("07:00", evening) == datetime(2030, 5, 2, 7, 0, tzinfo=UTC)
    assert next_time("23:15", evening) == datetime(2030, 5, 1, 23, 15, tzinfo=UTC)


def test_T16_3_only_a_swiss_tournament_has_places_to_decide() -> None:
    plan = parse_plan(plain(top=10), beside(Path()))
    assert plan.settings.to_plain()["top"] == 10
    assert stored(plan) == (plan.settings, plan.run)
    without = parse_plan(plain(rounds=None, format="round_robin"), beside(Path()))
    assert "top" not in without.settings.to_plain()
    assert stored(without) == (without.settings, without.run)


def test_T2_8_a_seed_that_is_drawn_is_kept_apart_from_the_settings() -> None:
    plan = parse_plan(plain(seed=None), beside(Path()))
    assert "seed" not in plan.settings.to_plain()
    assert plan.settings.commitment == commitment("cup", plan.secret)
    assert TournamentSettings.from_plain(plan.settings.to_plain(), secret_seed(plan.secret)) == plan.settings


def test_T2_9_beacon_and_nonces_are_kept_with_the_settings_and_a_given_seed_excludes_them() -> None:
    plan = parse_plan(plain(seed=None, beacon="a lottery", nonces=["bob", "ann"]), beside(Path()))
    kept = plan.settings.to_plain()
    assert (kept["beacon"], kept["nonces"], plan.settings.seed) == ("a lottery", ["bob", "ann"], UNDRAWN)
    assert stored(plan) == (plan.settings, plan.run)
    assert {"beacon", "nonces", "commitment"}.isdisjoint(parse_plan(plain(), beside(Path())).settings.to_plain())


def test_every_setting_that_is_kept_comes_back_from_where_it_is_kept() -> None:
    """What is declared once is parsed, kept and read again; none of it is forgotten on the way."""
    changed = {
        "best_of": 3,
        "third_place": True,
        "block": False,
        "seeding": "per_block",
        "seed": 9,
        "fresh_process": True,
    }
    changed |= {"withdraw_after": 7, "match_budget": 70, "referees": 5, "concurrency": 6, "verify": "sample"}
    changed |= {"until": "07:00", "spectator_delay": 4, "remote_wait_ms": 80, "verifiers": 3}
    changed |= {"chunk": 8, "recheck": 0.25, "cluster_class": "fast", "same_author": "free", "bots_per_author": 4}
    kept = [setting for setting in (*DECIDING.values(), *RUNNING.values()) if setting.key not in ("top", "beacon")]
    assert {setting.key for setting in kept} == set(changed)
    plan = parse_plan(plain(rounds=None, format="knockout", **changed), beside(Path()))
    both = plan.settings.to_plain() | plan.run.to_plain()
    assert both == both | changed
    assert stored(plan) == (plan.settings, plan.run)
    for setting in kept:
        assert setting.default != changed[setting.key], "the test would not see it forgotten"
