from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FeatureKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FEATURE_KIND_UNSPECIFIED: _ClassVar[FeatureKind]
    FEATURE_KIND_STREET: _ClassVar[FeatureKind]
    FEATURE_KIND_MARKET: _ClassVar[FeatureKind]
    FEATURE_KIND_RESIDENTIAL: _ClassVar[FeatureKind]

class Arm(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ARM_UNSPECIFIED: _ClassVar[Arm]
    ARM_CW: _ClassVar[Arm]
    ARM_CCW: _ClassVar[Arm]

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_TILE: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_FOLLOWER: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_GATE: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_WALL: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_GUARD: _ClassVar[DecisionKind]
    DECISION_KIND_PLACE_TOWER: _ClassVar[DecisionKind]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_WALLS_EXHAUSTED: _ClassVar[Ending]
    ENDING_RING_NEARLY_CLOSED: _ClassVar[Ending]
    ENDING_TILES_EXHAUSTED: _ClassVar[Ending]
FEATURE_KIND_UNSPECIFIED: FeatureKind
FEATURE_KIND_STREET: FeatureKind
FEATURE_KIND_MARKET: FeatureKind
FEATURE_KIND_RESIDENTIAL: FeatureKind
ARM_UNSPECIFIED: Arm
ARM_CW: Arm
ARM_CCW: Arm
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_PLACE_TILE: DecisionKind
DECISION_KIND_PLACE_FOLLOWER: DecisionKind
DECISION_KIND_PLACE_GATE: DecisionKind
DECISION_KIND_PLACE_WALL: DecisionKind
DECISION_KIND_PLACE_GUARD: DecisionKind
DECISION_KIND_PLACE_TOWER: DecisionKind
ENDING_UNSPECIFIED: Ending
ENDING_WALLS_EXHAUSTED: Ending
ENDING_RING_NEARLY_CLOSED: Ending
ENDING_TILES_EXHAUSTED: Ending

class Options(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SideAddress(_message.Message):
    __slots__ = ("x", "y", "side")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    side: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat_count", "active_seat", "decision", "deciding_seat", "trigger", "regime", "drawn_tile", "pile_counts", "removed_tiles", "revealed_tiles", "board_tiles", "board_xs", "board_ys", "board_rotations", "follower_seats", "follower_kinds", "follower_xs", "follower_ys", "follower_indices", "gate", "wall_xs", "wall_ys", "wall_sides", "wall_arms", "wall_builders", "wall_guards", "tower_seats", "tower_arms", "tower_places", "perimeter", "gap", "wall_supply", "piece_counts", "last_walls", "follower_supplies", "towers_left", "scores", "ending")
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    DECIDING_SEAT_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    REGIME_FIELD_NUMBER: _ClassVar[int]
    DRAWN_TILE_FIELD_NUMBER: _ClassVar[int]
    PILE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_TILES_FIELD_NUMBER: _ClassVar[int]
    REVEALED_TILES_FIELD_NUMBER: _ClassVar[int]
    BOARD_TILES_FIELD_NUMBER: _ClassVar[int]
    BOARD_XS_FIELD_NUMBER: _ClassVar[int]
    BOARD_YS_FIELD_NUMBER: _ClassVar[int]
    BOARD_ROTATIONS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_SEATS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_KINDS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_XS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_YS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_INDICES_FIELD_NUMBER: _ClassVar[int]
    GATE_FIELD_NUMBER: _ClassVar[int]
    WALL_XS_FIELD_NUMBER: _ClassVar[int]
    WALL_YS_FIELD_NUMBER: _ClassVar[int]
    WALL_SIDES_FIELD_NUMBER: _ClassVar[int]
    WALL_ARMS_FIELD_NUMBER: _ClassVar[int]
    WALL_BUILDERS_FIELD_NUMBER: _ClassVar[int]
    WALL_GUARDS_FIELD_NUMBER: _ClassVar[int]
    TOWER_SEATS_FIELD_NUMBER: _ClassVar[int]
    TOWER_ARMS_FIELD_NUMBER: _ClassVar[int]
    TOWER_PLACES_FIELD_NUMBER: _ClassVar[int]
    PERIMETER_FIELD_NUMBER: _ClassVar[int]
    GAP_FIELD_NUMBER: _ClassVar[int]
    WALL_SUPPLY_FIELD_NUMBER: _ClassVar[int]
    PIECE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    LAST_WALLS_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_SUPPLIES_FIELD_NUMBER: _ClassVar[int]
    TOWERS_LEFT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    seat_count: int
    active_seat: int
    decision: DecisionKind
    deciding_seat: int
    trigger: int
    regime: int
    drawn_tile: int
    pile_counts: _containers.RepeatedScalarFieldContainer[int]
    removed_tiles: _containers.RepeatedScalarFieldContainer[int]
    revealed_tiles: _containers.RepeatedScalarFieldContainer[int]
    board_tiles: _containers.RepeatedScalarFieldContainer[int]
    board_xs: _containers.RepeatedScalarFieldContainer[int]
    board_ys: _containers.RepeatedScalarFieldContainer[int]
    board_rotations: _containers.RepeatedScalarFieldContainer[int]
    follower_seats: _containers.RepeatedScalarFieldContainer[int]
    follower_kinds: _containers.RepeatedScalarFieldContainer[FeatureKind]
    follower_xs: _containers.RepeatedScalarFieldContainer[int]
    follower_ys: _containers.RepeatedScalarFieldContainer[int]
    follower_indices: _containers.RepeatedScalarFieldContainer[int]
    gate: SideAddress
    wall_xs: _containers.RepeatedScalarFieldContainer[int]
    wall_ys: _containers.RepeatedScalarFieldContainer[int]
    wall_sides: _containers.RepeatedScalarFieldContainer[int]
    wall_arms: _containers.RepeatedScalarFieldContainer[Arm]
    wall_builders: _containers.RepeatedScalarFieldContainer[int]
    wall_guards: _containers.RepeatedScalarFieldContainer[int]
    tower_seats: _containers.RepeatedScalarFieldContainer[int]
    tower_arms: _containers.RepeatedScalarFieldContainer[Arm]
    tower_places: _containers.RepeatedScalarFieldContainer[int]
    perimeter: int
    gap: int
    wall_supply: int
    piece_counts: _containers.RepeatedScalarFieldContainer[int]
    last_walls: _containers.RepeatedScalarFieldContainer[int]
    follower_supplies: _containers.RepeatedScalarFieldContainer[int]
    towers_left: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    ending: Ending
    def __init__(self, seat_count: _Optional[int] = ..., active_seat: _Optional[int] = ..., decision: _Optional[_Union[DecisionKind, str]] = ..., deciding_seat: _Optional[int] = ..., trigger: _Optional[int] = ..., regime: _Optional[int] = ..., drawn_tile: _Optional[int] = ..., pile_counts: _Optional[_Iterable[int]] = ..., removed_tiles: _Optional[_Iterable[int]] = ..., revealed_tiles: _Optional[_Iterable[int]] = ..., board_tiles: _Optional[_Iterable[int]] = ..., board_xs: _Optional[_Iterable[int]] = ..., board_ys: _Optional[_Iterable[int]] = ..., board_rotations: _Optional[_Iterable[int]] = ..., follower_seats: _Optional[_Iterable[int]] = ..., follower_kinds: _Optional[_Iterable[_Union[FeatureKind, str]]] = ..., follower_xs: _Optional[_Iterable[int]] = ..., follower_ys: _Optional[_Iterable[int]] = ..., follower_indices: _Optional[_Iterable[int]] = ..., gate: _Optional[_Union[SideAddress, _Mapping]] = ..., wall_xs: _Optional[_Iterable[int]] = ..., wall_ys: _Optional[_Iterable[int]] = ..., wall_sides: _Optional[_Iterable[int]] = ..., wall_arms: _Optional[_Iterable[_Union[Arm, str]]] = ..., wall_builders: _Optional[_Iterable[int]] = ..., wall_guards: _Optional[_Iterable[int]] = ..., tower_seats: _Optional[_Iterable[int]] = ..., tower_arms: _Optional[_Iterable[_Union[Arm, str]]] = ..., tower_places: _Optional[_Iterable[int]] = ..., perimeter: _Optional[int] = ..., gap: _Optional[int] = ..., wall_supply: _Optional[int] = ..., piece_counts: _Optional[_Iterable[int]] = ..., last_walls: _Optional[_Iterable[int]] = ..., follower_supplies: _Optional[_Iterable[int]] = ..., towers_left: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., ending: _Optional[_Union[Ending, str]] = ...) -> None: ...

class PlaceTile(_message.Message):
    __slots__ = ("x", "y", "rotation")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    rotation: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ..., rotation: _Optional[int] = ...) -> None: ...

class PlaceFollower(_message.Message):
    __slots__ = ("kind", "index")
    KIND_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    kind: FeatureKind
    index: int
    def __init__(self, kind: _Optional[_Union[FeatureKind, str]] = ..., index: _Optional[int] = ...) -> None: ...

class PlaceGate(_message.Message):
    __slots__ = ("x", "y", "side")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    side: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ...) -> None: ...

class BuildWall(_message.Message):
    __slots__ = ("arm",)
    ARM_FIELD_NUMBER: _ClassVar[int]
    arm: Arm
    def __init__(self, arm: _Optional[_Union[Arm, str]] = ...) -> None: ...

class PostGuard(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BuildTower(_message.Message):
    __slots__ = ("arm",)
    ARM_FIELD_NUMBER: _ClassVar[int]
    arm: Arm
    def __init__(self, arm: _Optional[_Union[Arm, str]] = ...) -> None: ...

class Decline(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Action(_message.Message):
    __slots__ = ("place_tile", "place_follower", "place_gate", "build_wall", "post_guard", "build_tower", "decline")
    PLACE_TILE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FOLLOWER_FIELD_NUMBER: _ClassVar[int]
    PLACE_GATE_FIELD_NUMBER: _ClassVar[int]
    BUILD_WALL_FIELD_NUMBER: _ClassVar[int]
    POST_GUARD_FIELD_NUMBER: _ClassVar[int]
    BUILD_TOWER_FIELD_NUMBER: _ClassVar[int]
    DECLINE_FIELD_NUMBER: _ClassVar[int]
    place_tile: PlaceTile
    place_follower: PlaceFollower
    place_gate: PlaceGate
    build_wall: BuildWall
    post_guard: PostGuard
    build_tower: BuildTower
    decline: Decline
    def __init__(self, place_tile: _Optional[_Union[PlaceTile, _Mapping]] = ..., place_follower: _Optional[_Union[PlaceFollower, _Mapping]] = ..., place_gate: _Optional[_Union[PlaceGate, _Mapping]] = ..., build_wall: _Optional[_Union[BuildWall, _Mapping]] = ..., post_guard: _Optional[_Union[PostGuard, _Mapping]] = ..., build_tower: _Optional[_Union[BuildTower, _Mapping]] = ..., decline: _Optional[_Union[Decline, _Mapping]] = ...) -> None: ...

class TileDrawn(_message.Message):
    __slots__ = ("seat", "tile", "pile")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    PILE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    tile: int
    pile: int
    def __init__(self, seat: _Optional[int] = ..., tile: _Optional[int] = ..., pile: _Optional[int] = ...) -> None: ...

class TileRemoved(_message.Message):
    __slots__ = ("seat", "tile")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    tile: int
    def __init__(self, seat: _Optional[int] = ..., tile: _Optional[int] = ...) -> None: ...

class TilePlaced(_message.Message):
    __slots__ = ("seat", "tile", "x", "y", "rotation")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    seat: int
    tile: int
    x: int
    y: int
    rotation: int
    def __init__(self, seat: _Optional[int] = ..., tile: _Optional[int] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., rotation: _Optional[int] = ...) -> None: ...

class FollowerPlaced(_message.Message):
    __slots__ = ("seat", "kind", "x", "y", "index")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: FeatureKind
    x: int
    y: int
    index: int
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[FeatureKind, str]] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., index: _Optional[int] = ...) -> None: ...

class FeatureScored(_message.Message):
    __slots__ = ("kind", "x", "y", "index", "tile_count", "kind_count", "points", "winners", "returned_counts")
    KIND_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    TILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    KIND_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    RETURNED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    kind: FeatureKind
    x: int
    y: int
    index: int
    tile_count: int
    kind_count: int
    points: int
    winners: _containers.RepeatedScalarFieldContainer[int]
    returned_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kind: _Optional[_Union[FeatureKind, str]] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., index: _Optional[int] = ..., tile_count: _Optional[int] = ..., kind_count: _Optional[int] = ..., points: _Optional[int] = ..., winners: _Optional[_Iterable[int]] = ..., returned_counts: _Optional[_Iterable[int]] = ...) -> None: ...

class WallPhaseBegan(_message.Message):
    __slots__ = ("trigger", "regime", "piece_counts")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    REGIME_FIELD_NUMBER: _ClassVar[int]
    PIECE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    trigger: int
    regime: int
    piece_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, trigger: _Optional[int] = ..., regime: _Optional[int] = ..., piece_counts: _Optional[_Iterable[int]] = ...) -> None: ...

class GatePlaced(_message.Message):
    __slots__ = ("seat", "x", "y", "side")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    x: int
    y: int
    side: int
    def __init__(self, seat: _Optional[int] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ...) -> None: ...

class WallBuilt(_message.Message):
    __slots__ = ("seat", "arm", "x", "y", "side", "gap")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    GAP_FIELD_NUMBER: _ClassVar[int]
    seat: int
    arm: Arm
    x: int
    y: int
    side: int
    gap: int
    def __init__(self, seat: _Optional[int] = ..., arm: _Optional[_Union[Arm, str]] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ..., gap: _Optional[int] = ...) -> None: ...

class GuardPosted(_message.Message):
    __slots__ = ("seat", "x", "y", "side")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    x: int
    y: int
    side: int
    def __init__(self, seat: _Optional[int] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ...) -> None: ...

class TowerBuilt(_message.Message):
    __slots__ = ("seat", "arm", "points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ARM_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    arm: Arm
    points: int
    def __init__(self, seat: _Optional[int] = ..., arm: _Optional[_Union[Arm, str]] = ..., points: _Optional[int] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: Ending
    def __init__(self, reason: _Optional[_Union[Ending, str]] = ...) -> None: ...

class FollowersRemoved(_message.Message):
    __slots__ = ("removed_counts",)
    REMOVED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    removed_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, removed_counts: _Optional[_Iterable[int]] = ...) -> None: ...

class AreaScored(_message.Message):
    __slots__ = ("x", "y", "index", "market_count", "points", "winners")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    MARKET_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    index: int
    market_count: int
    points: int
    winners: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ..., index: _Optional[int] = ..., market_count: _Optional[int] = ..., points: _Optional[int] = ..., winners: _Optional[_Iterable[int]] = ...) -> None: ...

class GuardScored(_message.Message):
    __slots__ = ("seat", "x", "y", "side", "public_count", "historic_count", "points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_COUNT_FIELD_NUMBER: _ClassVar[int]
    HISTORIC_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    x: int
    y: int
    side: int
    public_count: int
    historic_count: int
    points: int
    def __init__(self, seat: _Optional[int] = ..., x: _Optional[int] = ..., y: _Optional[int] = ..., side: _Optional[int] = ..., public_count: _Optional[int] = ..., historic_count: _Optional[int] = ..., points: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("tile_drawn", "tile_removed", "tile_placed", "follower_placed", "feature_scored", "wall_phase_began", "gate_placed", "wall_built", "guard_posted", "tower_built", "game_ended", "followers_removed", "area_scored", "guard_scored")
    TILE_DRAWN_FIELD_NUMBER: _ClassVar[int]
    TILE_REMOVED_FIELD_NUMBER: _ClassVar[int]
    TILE_PLACED_FIELD_NUMBER: _ClassVar[int]
    FOLLOWER_PLACED_FIELD_NUMBER: _ClassVar[int]
    FEATURE_SCORED_FIELD_NUMBER: _ClassVar[int]
    WALL_PHASE_BEGAN_FIELD_NUMBER: _ClassVar[int]
    GATE_PLACED_FIELD_NUMBER: _ClassVar[int]
    WALL_BUILT_FIELD_NUMBER: _ClassVar[int]
    GUARD_POSTED_FIELD_NUMBER: _ClassVar[int]
    TOWER_BUILT_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    FOLLOWERS_REMOVED_FIELD_NUMBER: _ClassVar[int]
    AREA_SCORED_FIELD_NUMBER: _ClassVar[int]
    GUARD_SCORED_FIELD_NUMBER: _ClassVar[int]
    tile_drawn: TileDrawn
    tile_removed: TileRemoved
    tile_placed: TilePlaced
    follower_placed: FollowerPlaced
    feature_scored: FeatureScored
    wall_phase_began: WallPhaseBegan
    gate_placed: GatePlaced
    wall_built: WallBuilt
    guard_posted: GuardPosted
    tower_built: TowerBuilt
    game_ended: GameEnded
    followers_removed: FollowersRemoved
    area_scored: AreaScored
    guard_scored: GuardScored
    def __init__(self, tile_drawn: _Optional[_Union[TileDrawn, _Mapping]] = ..., tile_removed: _Optional[_Union[TileRemoved, _Mapping]] = ..., tile_placed: _Optional[_Union[TilePlaced, _Mapping]] = ..., follower_placed: _Optional[_Union[FollowerPlaced, _Mapping]] = ..., feature_scored: _Optional[_Union[FeatureScored, _Mapping]] = ..., wall_phase_began: _Optional[_Union[WallPhaseBegan, _Mapping]] = ..., gate_placed: _Optional[_Union[GatePlaced, _Mapping]] = ..., wall_built: _Optional[_Union[WallBuilt, _Mapping]] = ..., guard_posted: _Optional[_Union[GuardPosted, _Mapping]] = ..., tower_built: _Optional[_Union[TowerBuilt, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ..., followers_removed: _Optional[_Union[FollowersRemoved, _Mapping]] = ..., area_scored: _Optional[_Union[AreaScored, _Mapping]] = ..., guard_scored: _Optional[_Union[GuardScored, _Mapping]] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("view", "events", "options")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    view: View
    events: _containers.RepeatedCompositeFieldContainer[Event]
    options: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[Action, _Mapping]]] = ...) -> None: ...
