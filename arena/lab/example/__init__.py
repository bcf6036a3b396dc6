"""From training to leaderboard: a small policy that learns a game by itself and is written out as a bot.

python -m arena.lab.example norenberc mybot --seconds 120
"""
