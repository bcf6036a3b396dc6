// A bot that searches every game without knowing its rules: the look-ahead helper plays on from imagined worlds.
"use strict";
const { atRandom, grpc, loading, play, protoLoader } = require("./bot.js");

const OPTIONS = 4; // that are tried, the best by the game's heuristic
const WORLDS = 16; // imagined for each decision
const SECONDS = 0.2; // for a decision, if the clock allows
const horizon = (game) => (game === "carcassonne_city" ? 24 : 60); // choices of the table before a position is rated

// The helper is beside the bot, if bot.toml says `lookahead = true`.
const messages = protoLoader.loadSync("referee/lookahead/v1/lookahead.proto", loading);
const { LookaheadService } = grpc.loadPackageDefinition(messages).referee.lookahead.v1;
const rules = new LookaheadService(process.env.ARENA_LOOKAHEAD, grpc.credentials.createInsecure());
const ask = (method, request) =>
  new Promise((done, failed) => rules[method](request, (error, answer) => (error ? failed(error) : done(answer))));

const seconds = (span) => Number(span.seconds) + span.nanos / 1e9;

// The options that look best at a glance; without a heuristic, the first of them.
async function promising(world, seat, count) {
  const listed = await ask("Options", { worlds: [world], with_ratings: true });
  const { ratings } = listed.worlds[0].decisions.find((open) => open.seat === seat);
  const order = [...Array(count).keys()];
  if (ratings.length === count) order.sort((a, b) => ratings[b] - ratings[a]);
  return order.slice(0, OPTIONS);
}

// Plays every promising option on in every world, and answers with the best on average.
async function byMonteCarlo(prompt, seat, game) {
  const seed = prompt.prompt_id;
  const { tree, worlds } = await ask("Imagine", { game, seat, prompt: prompt.game, count: WORLDS, seed });
  const options = await promising(worlds[0], seat, prompt.option_count);
  const starts = worlds.flatMap((world) =>
    options.map((option_index) => ({ world, choices: [{ seat, option_index }] })));
  const limit = Math.min(SECONDS, seconds(prompt.time_left) / 20, seconds(prompt.deadline) / 2);
  const played = await ask("Playout", {
    starts, count: 10, policy: "POLICY_GREEDY", horizon: horizon(game), seed, only_totals: true,
    time_limit: { seconds: 0, nanos: Math.round(limit * 1e9) },
  });
  await ask("Free", { handles: [tree] });
  const totals = options.map(() => ({ value: 0, count: 1e-9 }));
  played.starts.forEach(({ value_totals, count }, at) => {
    totals[at % options.length].value += value_totals[seat];
    totals[at % options.length].count += count;
  });
  const means = totals.map(({ value, count }) => value / count);
  means[0] += 0.25 / Math.sqrt(totals[0].count + 1); // the first looked best: few playouts do not speak against it
  const playouts = Math.round(totals.reduce((sum, { count }) => sum + count, 0));
  return { option_index: options[means.indexOf(Math.max(...means))], comment: `${playouts} playouts` };
}

// Without the helper, or in a game that it does not know, any option is better than none.
play((prompt, seat, game) => byMonteCarlo(prompt, seat, game).catch(() => atRandom(prompt, seat)));
