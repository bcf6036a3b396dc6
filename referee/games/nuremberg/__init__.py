"""Die Siedler von Nürnberg: settle the surroundings, wall the city, win a seat on its councils."""
