// A bot that plays every game at random: the whole client, using only the published protos.
package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"

	pb "arena/referee/v1"
	"google.golang.org/grpc"
)

// A chooser finds the answer to a prompt.
type chooser func(prompt *pb.Prompt, dice *rand.Rand) *pb.Answer

// Answers by position in the list of options, without reading them.
func atRandom(prompt *pb.Prompt, dice *rand.Rand) *pb.Answer {
	return &pb.Answer{Choice: &pb.Answer_OptionIndex{OptionIndex: dice.Int31n(prompt.OptionCount)}}
}

// Returns the value if there is no error; a lost connection ends the bot with one line.
func must[T any](got T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "the referee hung up:", err)
		os.Exit(1)
	}
	return got
}

// Says hello, then answers prompts until the referee says goodbye or hangs up.
func play(choose chooser) {
	connection := must(grpc.Dial(os.Getenv("ARENA_ADDRESS"), grpc.WithInsecure()))
	stream := must(pb.NewRefereeServiceClient(connection).Play(context.Background()))
	hello := &pb.Hello{Ticket: os.Getenv("ARENA_TICKET"), ProtocolVersion: 1, Concurrency: 64}
	replies := []*pb.BotMessage{{Kind: &pb.BotMessage_Hello{Hello: hello}}}
	dice := map[string]*rand.Rand{}
	for {
		if len(replies) > 0 {
			stream.Send(&pb.PlayRequest{Messages: replies}) // if it fails, Recv says why
			replies = nil
		}
		frame, err := stream.Recv()
		if err == io.EOF {
			return
		}
		for _, message := range must(frame, err).Messages {
			if match := message.GetMatchStarted(); match != nil {
				// Seeded by match and seat: the same match is played the same way again.
				seed := fnv.New64a()
				fmt.Fprintf(seed, "%s/%d", match.MatchId, match.Seat)
				dice[match.MatchId] = rand.New(rand.NewSource(int64(seed.Sum64())))
			} else if prompt := message.GetPrompt(); prompt != nil {
				answer := choose(prompt, dice[prompt.MatchId])
				answer.MatchId, answer.PromptId = prompt.MatchId, prompt.PromptId
				replies = append(replies, &pb.BotMessage{Kind: &pb.BotMessage_Answer{Answer: answer}})
			} else if ended := message.GetMatchEnded(); ended != nil {
				delete(dice, ended.MatchId)
			} else if message.GetGoodbye() != nil {
				return
			}
		}
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "brewer" {
		play(asBrewer)
	} else {
		play(atRandom)
	}
}
