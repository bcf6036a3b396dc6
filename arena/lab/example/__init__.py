"""From training to leaderboard: a small policy that teaches itself a game and is exported as a bot.

python -m arena.lab.example norenberc mybot --seconds 120
"""
