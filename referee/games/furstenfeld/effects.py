"""What everything on a lot costs, yields and does, as rows for the rules.

`components.py` has the same numbers for everybody else: rows of compiled rules are not there for other Python. Each row
is indexed by what a lot shows.
"""

from __future__ import annotations

from referee.games.furstenfeld import components as box
from referee.rows import Smalls

COST: Smalls = list(box.COST_OF)
HARVEST: Smalls = [count for harvest in box.HARVEST_OF for count in harvest]  # of each good
COINS: Smalls = list(box.COINS_OF)
EXTRA_KEEP: Smalls = list(box.EXTRA_KEEP_OF)
EXTRA_DRAW: Smalls = list(box.EXTRA_DRAW_OF)
OFFICE_BONUS: Smalls = list(box.OFFICE_BONUS_OF)
MAX_EXCHANGE: Smalls = list(box.MAX_EXCHANGE_OF)
DISCOUNT: Smalls = list(box.DISCOUNT_OF)
MAX_STORED: Smalls = list(box.MAX_STORED_OF)
MARKER_REDUCTION: Smalls = list(box.MARKER_REDUCTION_OF)
COINS_PER_PART: Smalls = list(box.COINS_PER_PART_OF)
MAX_SCRAP: Smalls = list(box.MAX_SCRAP_OF)
ADVANCED_LOT: Smalls = list(box.ADVANCED_LOT_OF)
IS_PALACE: Smalls = list(box.IS_PALACE)
