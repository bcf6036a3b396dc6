// A bot that searches every game without knowing its rules: the look-ahead helper plays on from imagined worlds.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <numeric>

#include "choosers.h"
#include "referee/lookahead/v1/lookahead.grpc.pb.h"

using namespace referee::lookahead::v1;
static const int kOptions = 4;       // that are tried, the best by the game's heuristic
static const int kWorlds = 16;       // imagined for each decision
static const double kSeconds = 0.2;  // for a decision, if the clock allows
static int horizon(const std::string& game) { return game == "carcassonne_city" ? 24 : 60; }  // choices before a rating
// The helper is beside the bot, if bot.toml says `lookahead = true`.
static LookaheadService::Stub& rules() {
  static auto channel = grpc::CreateChannel(std::getenv("ARENA_LOOKAHEAD"), grpc::InsecureChannelCredentials());
  static auto stub = LookaheadService::NewStub(channel);
  return *stub;
}
static double seconds(const google::protobuf::Duration& span) { return span.seconds() + span.nanos() / 1e9; }

// The options that look best at a glance; without a heuristic, the first of them.
static std::vector<int> promising(const OptionsResponse& listed, int seat, int count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (const WorldOptions& world : listed.worlds())
    for (const OpenDecision& open : world.decisions())
      if (open.seat() == seat && open.ratings_size() == count)
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return open.ratings(a) > open.ratings(b); });
  return {order.begin(), order.begin() + std::min(count, kOptions)};
}

void choose_by_monte_carlo(const referee::v1::Prompt& prompt, Table& table, referee::v1::Answer* answer) {
  const int seat = table.match.seat();
  grpc::ClientContext imagining, listing, playing, freeing;
  ImagineRequest view;
  view.set_game(table.match.game());
  view.set_seat(seat);
  *view.mutable_prompt() = prompt.game();
  view.set_count(kWorlds);
  view.set_seed(table.dice());
  ImagineResponse imagined;
  if (!rules().Imagine(&imagining, view, &imagined).ok()) return choose_at_random(prompt, table, answer);
  OptionsRequest glance;
  glance.add_worlds(imagined.worlds(0));
  glance.set_with_ratings(true);
  OptionsResponse listed;
  rules().Options(&listing, glance, &listed);
  std::vector<int> options = promising(listed, seat, prompt.option_count());
  PlayoutRequest request;
  for (auto world : imagined.worlds())
    for (int option : options) {
      Move* start = request.add_starts();
      start->set_world(world);
      start->add_choices()->set_seat(seat);
      start->mutable_choices(0)->set_option_index(option);
    }
  request.set_count(10);
  request.set_policy(POLICY_GREEDY);
  request.set_horizon(horizon(table.match.game()));
  request.set_only_totals(true);
  double limit = std::min({kSeconds, seconds(prompt.time_left()) / 20, seconds(prompt.deadline()) / 2});
  request.mutable_time_limit()->set_nanos(limit * 1e9);
  PlayoutResponse played;
  rules().Playout(&playing, request, &played);
  std::vector<double> totals(options.size()), counts(options.size(), 1e-9);
  for (int at = 0; at < played.starts_size(); ++at) {
    totals[at % options.size()] += played.starts(at).value_totals(seat);
    counts[at % options.size()] += played.starts(at).count();
  }
  answer->set_comment(std::to_string(int(std::accumulate(counts.begin(), counts.end(), 0.5))) + " playouts");
  std::transform(totals.begin(), totals.end(), counts.begin(), totals.begin(), std::divides<>());
  totals[0] += 0.25 / std::sqrt(counts[0] + 1);  // the first looked best: few playouts do not speak against it
  answer->set_option_index(options[std::max_element(totals.begin(), totals.end()) - totals.begin()]);
  FreeRequest done;
  done.add_handles(imagined.tree());
  FreeResponse freed;
  rules().Free(&freeing, done, &freed);
}
