// A bot that plays every game at random: the whole client, using only the published protos.
"use strict";
const { createHash } = require("node:crypto");
const { createRequire } = require("node:module");
const path = require("node:path");

// `build.sh` fetches packages into build/, so that the bot's own files are all there is to submit.
const built = path.join(__dirname, "build", "/");
const requireBuilt = createRequire(built);
const grpc = requireBuilt("@grpc/grpc-js");
const protoLoader = requireBuilt("@grpc/proto-loader");

const loading = {
  includeDirs: [path.join(built, "proto")], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true,
};
const { RefereeService } = grpc.loadPackageDefinition(protoLoader.loadSync("referee/v1/play.proto", loading)).referee.v1;

// Answers by position in the list of options, without reading them. Seeded by match, seat and prompt: the same match
// is played the same way again.
function atRandom(prompt, seat) {
  const digest = createHash("sha256").update(`${prompt.match_id}/${seat}/${prompt.prompt_id}`).digest();
  return { option_index: digest.readUInt32BE() % prompt.option_count };
}

// Says hello, then answers prompts until the referee says goodbye or hangs up.
function play(choose) {
  const matches = new Map();
  const client = new RefereeService(process.env.ARENA_ADDRESS, grpc.credentials.createInsecure());
  const stream = client.Play();
  stream.on("data", async (frame) => {
    const answers = [];
    for (const message of frame.messages) {
      if (message.kind === "match_started") {
        matches.set(message.match_started.match_id, message.match_started);
      } else if (message.kind === "prompt") {
        const { match_id, prompt_id } = message.prompt;
        const { seat, game } = matches.get(match_id);
        answers.push({ answer: { match_id, prompt_id, ...(await choose(message.prompt, seat, game)) } });
      } else if (message.kind === "match_ended") {
        matches.delete(message.match_ended.match_id);
      } else if (message.kind === "goodbye") {
        stream.end();
      }
    }
    if (answers.length > 0 && stream.writable) stream.write({ messages: answers });
  });
  stream.on("error", (error) => {
    console.error(`the referee hung up: ${error.message}`);
    process.exitCode = 1;
  });
  stream.on("close", () => client.close());
  stream.write({ messages: [{ hello: { ticket: process.env.ARENA_TICKET, protocol_version: 1, concurrency: 64 } }] });
}

module.exports = { atRandom, grpc, loading, play, protoLoader };
if (require.main === module) play(atRandom);
