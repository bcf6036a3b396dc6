// Runs a one-file bot in JavaScript: reads a question a line, and writes back the index that the bot chooses.
import { createReadStream, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [file, asked, answered] = process.argv.slice(2);
const module = await import(pathToFileURL(file));
const classes = Object.values(module).filter((each) => typeof each?.prototype?.choose === "function");
const bot = typeof module.choose === "function" ? { choose: module.choose } : classes.length === 1 ? new classes[0]() : null;
if (bot === null) {
  console.error("the file exports no bot; expected a function choose(view, options), or a class with such a method");
  process.exit(1);
}
let match = "";
for await (const line of createInterface({ input: createReadStream(null, { fd: Number(asked) }) })) {
  const { view, options, ...question } = JSON.parse(line);
  if (question.match !== match) {
    match = question.match;
    await bot.reset?.(question);
  }
  const chosen = await bot.choose(view, options, question);
  if (!Number.isInteger(chosen) || chosen < 0 || chosen >= options.length) {
    console.error(`choose returned ${chosen}; expected a whole number from 0 to ${options.length - 1}`);
    process.exit(1);
  }
  writeSync(Number(answered), `${chosen}\n`);
}
