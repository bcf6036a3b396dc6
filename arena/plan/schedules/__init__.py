"""The schedules of tournaments, by the word that a tournament file has for them."""

from __future__ import annotations

from collections.abc import Mapping

from arena.plan.schedules.gauntlet import Gauntlet
from arena.plan.schedules.knockout import Knockout
from arena.plan.schedules.round_robin import RoundRobin
from arena.plan.schedules.schedule import Schedule
from arena.plan.schedules.swiss import Swiss

SCHEDULES: Mapping[str, Schedule] = {
    "swiss": Swiss(),
    "round_robin": RoundRobin(),
    "gauntlet": Gauntlet(),
    "knockout": Knockout(),
}


__all__ = ["SCHEDULES", "Schedule"]
