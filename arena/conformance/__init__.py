"""The conformance suite: scripted sessions that a bot must survive, played against its real process over real gRPC.

`test_server` is the scripted referee, `board` a match on it, `steps` what is asked of a bot, `report` what came of it.
"""
