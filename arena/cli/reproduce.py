"""arena ledger reproduce: play entered matches again by the programs that the ledger names."""

from __future__ import annotations

import json
import re
import secrets
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
import trio

from arena.bots.scratch import scratch_folder
from arena.cli.options import FILE, check_cluster, cluster_option, json_option, pool_on, reading
from arena.cli.output import print_json, printable, progress
from arena.cli.sandboxing import sandbox_option
from arena.cli.signing import EXISTING, STATEMENT, signed_statement, write_note
from arena.plan.seeding import MAX_SEED
from arena.play.reproducing import PlayAgain, Reproduction, draw_sample, reproduce
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import DEFAULT_DB, Store
from ratings.ledger import chain
from ratings.ledger.chain import Body
from referee.keys import read_signer
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.software import SOFTWARE

SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)%")
SHOWN = 20  # hindered matches that are listed; all of them are counted


@click.command("reproduce")
@click.argument("db", type=FILE, default=DEFAULT_DB)
@click.option("--sample", default="5%", show_default=True, metavar="SHARE", help="The share of matches to play again.")
@click.option("--match", "match_ids", multiple=True, metavar="ID", help="A match to play again, instead of a sample.")
@click.option(
    "--bots", "places", multiple=True, metavar="DIR", type=click.Path(exists=True, path_type=Path),
    help="Where to look for bots by the hash of their files: a bot directory, an archive or a folder of them.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of the sample (default: random, and shown).")
@click.option(
    "--undeclared", is_flag=True,
    help="Also play bots that do not declare themselves deterministic; their differences do not count.",
)  # fmt: skip
@click.option("--statement", type=FILE, help="Write the result as a signed statement to this file.")
@click.option("--key", "key_path", type=EXISTING, help="The private key that signs the statement.")
@cluster_option
@sandbox_option
@json_option
def command(
    db: Path,
    sample: str,
    match_ids: tuple[str, ...],
    places: tuple[Path, ...],
    seed: int | None,
    undeclared: bool,
    statement: Path | None,
    key_path: Path | None,
    cluster: str | None,
    sandbox: str,
    as_json: bool,
) -> int:
    """Play a sample of matches again and compare every choice.

    A record that replays proves that the rules were kept, not who chose. Here the bots are found by the whole hash of
    their files, beside the database, in --bots and among the sample bots, and play in fresh processes with the
    settings, seats and seeds of the ledger. A match that cannot be reproduced is counted under its reason. The exit
    code is 1 if a match came out differently, else 0. A statement can be published: arena ledger check-statement checks
    its signature.

    \b
    Example: arena ledger reproduce arena.db --sample 5% --bots submitted/
    """
    configure_logs("error", as_json=False)
    share = _share(sample)
    if (statement is None) != (key_path is None):
        raise UserError("--statement: it is signed; expected --statement together with --key")
    if key_path is not None:
        read_signer(key_path)  # fails before anything is played
    policy = SandboxPolicy(sandbox)
    choose(policy)  # fails before anything starts
    if cluster is not None:
        check_cluster(cluster)
    store = reading(db)
    with store.reading() as connection:
        head = chain.head(connection)
        entered = [json.loads(payload) for _seq, payload in store.evidence.entered()]
    if not entered:
        raise UserError(f"DB: no match has been entered in {db}")
    drawn_by = secrets.randbits(63) if seed is None else seed
    matches = _named(store, entered, match_ids) if match_ids else draw_sample(entered, share, drawn_by)
    with scratch_folder() as folder, progress(is_shown=not as_json) as bars:
        folder.chmod(0o711)  # a sandboxed bot's uid passes it
        means = PlayAgain(places, folder, pool_on(cluster), policy, tries_undeclared=undeclared)
        advance = partial(bars.advance, bars.add_task("matches", total=len(matches)))
        found = trio.run(reproduce, store, matches, means, advance)
    told = _told(found, head, len(entered), [body["match"] for body in matches], None if match_ids else drawn_by)
    if statement is not None and key_path is not None:
        write_note(signed_statement(told, key_path), statement, "--statement")
    if as_json:
        print_json(told)
    else:
        _print(found, told)
    return int(bool(found.differences))


def _share(text: str) -> float:
    parsed = SHARE.fullmatch(text)
    if parsed is None or not 0 < float(parsed[1]) <= 100:
        raise UserError(f"--sample: {text!r} is not a share; expected a percentage above 0 such as 5%")
    return float(parsed[1]) / 100


def _named(store: Store, entered: list[Body], match_ids: tuple[str, ...]) -> list[Body]:
    """Return the entries of matches that are named by the beginning of their ids."""
    by_id = {body["match"]: body for body in entered}
    found = {}
    for match_id in match_ids:
        match = store.matches.find(match_id)
        if match.id not in by_id:
            raise UserError(f"--match: {match_id} is not entered: it is void, or its round is still open")
        found[match.id] = by_id[match.id]
    return list(found.values())


def _told(found: Reproduction, head: chain.Head, entered: int, matches: list[str], seed: int | None) -> dict[str, Any]:
    """T22.5: return what is reported, and signed in a statement."""
    return {
        "kind": STATEMENT,
        "software": SOFTWARE,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "entries": head.seq,
        "head": head.hex,
        "matches_entered": entered,
        "sample_seed": seed,
        "sample": matches,
        "reproduced": len(found.reproduced),
        "differences": [
            {"match": each.match, "step": each.step, "seat": each.seat, "bot": each.bot, "what": each.what}
            for each in found.differences
        ],
        "not_reproducible": found.by_reason,
        "hindered": [{"match": each.match, "why": each.why, "detail": each.detail} for each in found.hindered],
    }


def _print(found: Reproduction, told: dict[str, Any]) -> None:
    for difference in found.differences:
        click.echo(printable(str(difference)))
    for hindered in found.hindered[:SHOWN]:
        click.echo(printable(str(hindered)))
    if len(found.hindered) > SHOWN:
        click.echo(f"… and {len(found.hindered) - SHOWN:,} more")
    drawn = "" if told["sample_seed"] is None else f", sample seed {told['sample_seed']}"
    click.echo(f"{len(told['sample']):,} of {told['matches_entered']:,} matches{drawn}:")
    click.echo(f"  reproduced        {told['reproduced']:,}")
    click.echo(f"  different         {len(found.differences):,}")
    click.echo(f"  not reproducible  {len(found.hindered):,}")
    for why, count in told["not_reproducible"].items():
        click.echo(f"    {why}: {count:,}")
    click.echo(f"head {told['head']}")
