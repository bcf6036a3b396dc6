// Choosers: how an answer is found to a prompt.
#pragma once

#include <random>

#include "referee/v1/play.pb.h"

void choose_at_random(const referee::v1::Prompt& prompt, std::mt19937& dice, referee::v1::Answer* answer);
void choose_as_brewer(const referee::v1::Prompt& prompt, std::mt19937& dice, referee::v1::Answer* answer);
