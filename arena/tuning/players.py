"""Who plays the matches of a tuning: this process, several, or the workers of a cluster; all of them alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from arena.tuning.contest import BlockDifference, Bout, BoutScore, Contest, ContestPlayer, TestBlock
from referee.spawning import spawned


class Players(Protocol):
    """Plays bouts and blocks, and yields what came of them in their order."""

    def scores(self, bouts: Sequence[Bout]) -> Iterator[BoutScore]:
        """Play some bouts."""

    def differences(self, blocks: Sequence[TestBlock]) -> Iterator[BlockDifference]:
        """Play some blocks of a test."""


class LocalPlayers:
    """Plays in this process."""

    def __init__(self, player: ContestPlayer) -> None:
        self.player = player

    def scores(self, bouts: Sequence[Bout]) -> Iterator[BoutScore]:
        """Play some bouts."""
        return map(self.player.score, bouts)

    def differences(self, blocks: Sequence[TestBlock]) -> Iterator[BlockDifference]:
        """Play some blocks of a test."""
        return map(self.player.difference, blocks)


class _Processes:
    def __init__(self, pool: Any) -> None:
        self.pool = pool

    def scores(self, bouts: Sequence[Bout]) -> Iterator[BoutScore]:
        found: Iterator[BoutScore] = self.pool.imap(_score, bouts)
        return found

    def differences(self, blocks: Sequence[TestBlock]) -> Iterator[BlockDifference]:
        found: Iterator[BlockDifference] = self.pool.imap(_difference, blocks)
        return found


class _Cluster:
    def __init__(self, client: Any, contest: Contest) -> None:
        self.client, self.contest = client, contest

    def scores(self, bouts: Sequence[Bout]) -> Iterator[BoutScore]:
        return iter(self.client.gather(self.client.map(_score_there, bouts, contest=self.contest, pure=False)))

    def differences(self, blocks: Sequence[TestBlock]) -> Iterator[BlockDifference]:
        return iter(self.client.gather(self.client.map(_difference_there, blocks, contest=self.contest, pure=False)))


@contextmanager
def open_players(contest: Contest, processes: int, cluster: str | None) -> Iterator[Players]:
    """Yield players; a policy that cannot be loaded fails here."""
    player = ContestPlayer(contest)
    if cluster is not None:
        from distributed import Client

        from arena.cluster.address import CONNECT_SECONDS, scheduler_address, security

        address = scheduler_address(cluster, "cluster")
        with Client(address, security=security(), timeout=CONNECT_SECONDS, set_as_default=False) as client:
            yield _Cluster(client, contest)
    elif processes > 1:
        with spawned(processes, _begin, (contest,)) as pool:
            yield _Processes(pool)
    else:
        yield LocalPlayers(player)


_player: ContestPlayer | None = None
_players: dict[str, ContestPlayer] = {}


def _begin(contest: Contest) -> None:
    global _player
    _player = ContestPlayer(contest)


def _score(bout: Bout) -> BoutScore:
    assert _player is not None, "the process has begun"
    return _player.score(bout)


def _difference(block: TestBlock) -> BlockDifference:
    assert _player is not None, "the process has begun"
    return _player.difference(block)


def _score_there(bout: Bout, contest: Contest) -> BoutScore:
    return _player_for(contest).score(bout)


def _difference_there(block: TestBlock, contest: Contest) -> BlockDifference:
    return _player_for(contest).difference(block)


def _player_for(contest: Contest) -> ContestPlayer:
    key = repr(contest)
    if key not in _players:
        _players[key] = ContestPlayer(contest)
    return _players[key]
