"""What is to be played: the tournament file, who is entered, the draw of every round, the order at the end."""
