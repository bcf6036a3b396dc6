// A bot that plays every game at random: the whole client, using only the published protos.
#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include "choosers.h"
#include "referee/v1/play.grpc.pb.h"

using namespace referee::v1;

// Answers by position in the list of options, without reading them.
void choose_at_random(const Prompt& prompt, Table& table, Answer* answer) {
  answer->set_option_index(static_cast<int>(table.dice() % prompt.option_count()));
}

// Says hello, then answers prompts until the referee says goodbye or hangs up.
grpc::Status play(decltype(choose_at_random)* choose) {
  auto channel = grpc::CreateChannel(std::getenv("ARENA_ADDRESS"), grpc::InsecureChannelCredentials());
  auto stub = RefereeService::NewStub(channel);
  grpc::ClientContext context;
  auto stream = stub->Play(&context);
  PlayRequest greeting;
  Hello* hello = greeting.add_messages()->mutable_hello();
  hello->set_ticket(std::getenv("ARENA_TICKET"));
  hello->set_protocol_version(1);
  hello->set_concurrency(64);
  stream->Write(greeting);

  std::map<std::string, Table> tables;
  PlayResponse frame;
  while (stream->Read(&frame)) {
    PlayRequest answers;
    for (const RefereeMessage& message : frame.messages()) {
      if (message.has_match_started()) {
        // Seeded by match and seat: the same match is played the same way again.
        const MatchStarted& match = message.match_started();
        std::string name = match.match_id() + "/" + std::to_string(match.seat());
        std::seed_seq seed(name.begin(), name.end());
        tables[match.match_id()] = {match, std::mt19937(seed)};
      } else if (message.has_prompt()) {
        const Prompt& prompt = message.prompt();
        Answer* answer = answers.add_messages()->mutable_answer();
        answer->set_match_id(prompt.match_id());
        answer->set_prompt_id(prompt.prompt_id());
        choose(prompt, tables[prompt.match_id()], answer);
      } else if (message.has_match_ended()) {
        tables.erase(message.match_ended().match_id());
      } else if (message.has_goodbye()) {
        return grpc::Status::OK;
      }
    }
    if (answers.messages_size() > 0) stream->Write(answers);
  }
  return stream->Finish();
}

int main(int count, char** arguments) {
  std::string style = count > 1 ? arguments[1] : "";
  auto choose = style == "brewer" ? choose_as_brewer : style == "monte-carlo" ? choose_by_monte_carlo : choose_at_random;
  grpc::Status status = play(choose);
  if (!status.ok()) std::cerr << "the referee hung up: " << status.error_message() << std::endl;
  return status.ok() ? 0 : 1;
}
