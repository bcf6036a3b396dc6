//! A bot that plays every game at random: the whole client, using only the published protos.

use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::env;
use std::hash::{Hash, Hasher};

use grpc::{Failure, Stream};
use messages::referee::v1::{answer::Choice, bot_message, referee_message::Kind};
use messages::referee::v1::{Answer, BotMessage, Hello, PlayRequest, PlayResponse, Prompt};

mod brewer;
mod grpc;
#[allow(dead_code)]
mod messages {
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

/// Answers by position in the list of options, without reading them. Seeded by match, seat and prompt: the same match
/// is played the same way again.
fn at_random(prompt: &Prompt, seat: i32) -> Choice {
    let mut dice = DefaultHasher::new();
    (&prompt.match_id, seat, prompt.prompt_id).hash(&mut dice);
    Choice::OptionIndex((dice.finish() % prompt.option_count as u64) as i32)
}

/// Says hello, then answers prompts until the referee says goodbye or hangs up.
async fn play(choose: fn(&Prompt, i32) -> Choice) -> Result<(), Failure> {
    let ticket = env::var("ARENA_TICKET")?;
    let hello = Hello { ticket, protocol_version: 1, concurrency: 64, ..Hello::default() };
    let greeting = PlayRequest { messages: vec![BotMessage { kind: Some(bot_message::Kind::Hello(hello)) }] };
    let mut referee = Stream::open(&env::var("ARENA_ADDRESS")?, "referee.v1.RefereeService/Play", &greeting).await?;
    let mut seats = HashMap::new();
    while let Some(frame) = referee.receive::<PlayResponse>().await? {
        let mut answers = PlayRequest::default();
        for message in frame.messages {
            match message.kind {
                Some(Kind::MatchStarted(started)) => drop(seats.insert(started.match_id, started.seat)),
                Some(Kind::Prompt(prompt)) => {
                    let choice = Some(choose(&prompt, seats[&prompt.match_id]));
                    let Prompt { match_id, prompt_id, .. } = prompt;
                    let answer = Answer { match_id, prompt_id, choice, ..Default::default() };
                    answers.messages.push(BotMessage { kind: Some(bot_message::Kind::Answer(answer)) });
                }
                Some(Kind::MatchEnded(ended)) => drop(seats.remove(&ended.match_id)),
                Some(Kind::Goodbye(_)) => return Ok(()),
                _ => {}
            }
        }
        if !answers.messages.is_empty() {
            referee.send(&answers)?;
        }
    }
    Ok(())
}

fn main() {
    let is_brewer = env::args().nth(1).as_deref() == Some("brewer");
    let choose = if is_brewer { brewer::choose } else { at_random };
    // The connection has its own thread, so that pings are answered however long this one thinks.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_io().build();
    let played = runtime.expect("a thread can be started").block_on(play(choose));
    if let Err(failure) = played {
        eprintln!("the referee hung up: {failure}");
        std::process::exit(1);
    }
}
