"""The schedules of tournaments, by their names in tournament files."""

from __future__ import annotations

from collections.abc import Mapping

from arena.plan.schedules.fixed import Gauntlet, RoundRobin
from arena.plan.schedules.knockout import Knockout
from arena.plan.schedules.schedule import Schedule
from arena.plan.schedules.swiss import Swiss

SCHEDULES: Mapping[str, Schedule] = {
    "swiss": Swiss(),
    "round_robin": RoundRobin(),
    "gauntlet": Gauntlet(),
    "knockout": Knockout(),
}


__all__ = ["SCHEDULES", "Schedule"]
