"""The conformance suite: scripted sessions that a bot must survive, played against its real process over real gRPC.

`test_server` is the scripted referee, `board` a match on it, `steps` the requirements, `report` the verdicts.
"""
