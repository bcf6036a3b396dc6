// A bot that plays every game at random: the whole client, using only the published protos.
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import referee.v1.Play.*;
import referee.v1.RefereeServiceGrpc;

public final class Bot implements StreamObserver<PlayResponse> {
  private final Map<String, Random> dice = new HashMap<>();
  private final BiFunction<Prompt, Random, Answer.Builder> choose;
  private StreamObserver<PlayRequest> referee;

  Bot(BiFunction<Prompt, Random, Answer.Builder> choose) {
    this.choose = choose;
  }

  /** Answers by position in the list of options, without reading them. */
  static Answer.Builder atRandom(Prompt prompt, Random dice) {
    return Answer.newBuilder().setOptionIndex(dice.nextInt(prompt.getOptionCount()));
  }

  @Override
  public void onNext(PlayResponse frame) {
    PlayRequest.Builder answers = PlayRequest.newBuilder();
    for (RefereeMessage message : frame.getMessagesList()) {
      switch (message.getKindCase()) {
        case MATCH_STARTED -> {
          // Seeded by match and seat: the same match is played the same way again.
          MatchStarted match = message.getMatchStarted();
          dice.put(match.getMatchId(), new Random((match.getMatchId() + "/" + match.getSeat()).hashCode()));
        }
        case PROMPT -> {
          Prompt prompt = message.getPrompt();
          Answer.Builder answer = choose.apply(prompt, dice.get(prompt.getMatchId()));
          answer.setMatchId(prompt.getMatchId()).setPromptId(prompt.getPromptId());
          answers.addMessages(BotMessage.newBuilder().setAnswer(answer));
        }
        case MATCH_ENDED -> dice.remove(message.getMatchEnded().getMatchId());
        case GOODBYE -> System.exit(0);
        default -> {}
      }
    }
    if (answers.getMessagesCount() > 0) referee.onNext(answers.build());
  }

  @Override
  public void onError(Throwable error) {
    System.err.println("the referee hung up: " + Status.fromThrowable(error));
    System.exit(1);
  }

  @Override
  public void onCompleted() {
    System.exit(0);
  }

  /** Says hello, then answers prompts until the referee says goodbye or hangs up. */
  public static void main(String[] arguments) throws Exception {
    boolean isBrewer = arguments.length > 0 && arguments[0].equals("brewer");
    Bot bot = new Bot(isBrewer ? Brewer::choose : Bot::atRandom);
    String address = Forwarder.reach(System.getenv("ARENA_ADDRESS"));
    ManagedChannel channel = NettyChannelBuilder.forTarget(address).usePlaintext().directExecutor().build();
    bot.referee = RefereeServiceGrpc.newStub(channel).play(bot);
    Hello.Builder hello = Hello.newBuilder().setTicket(System.getenv("ARENA_TICKET")).setProtocolVersion(1).setConcurrency(64);
    bot.referee.onNext(PlayRequest.newBuilder().addMessages(BotMessage.newBuilder().setHello(hello)).build());
    Thread.currentThread().join(); // the stream ends the bot
  }
}
