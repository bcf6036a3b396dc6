"""The referee: it owns the state of every match and speaks gRPC to the bots."""

from referee.native import use_compiled

use_compiled()
