// Choosers: how an answer is found to a prompt.
#pragma once

#include <random>

#include "referee/v1/play.pb.h"

// What a chooser knows of the match beside the prompt.
struct Table {
  referee::v1::MatchStarted match;
  std::mt19937 dice;
};

void choose_at_random(const referee::v1::Prompt& prompt, Table& table, referee::v1::Answer* answer);
void choose_as_brewer(const referee::v1::Prompt& prompt, Table& table, referee::v1::Answer* answer);
void choose_by_monte_carlo(const referee::v1::Prompt& prompt, Table& table, referee::v1::Answer* answer);
