// A bot in one file: it plays every game at random.

// Returns the index of one of the options. `view` is what this seat may know and `options` what it can do, as records
// write them, such as {sell_goods: {count: 2}}. Add a third argument, `question`, for the game, the seat and the time.
export function choose(view, options) {
  return Math.floor(Math.random() * options.length);
}
