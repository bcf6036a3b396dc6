//! Generates the published messages, before anything is compiled.

fn main() -> std::io::Result<()> {
    let proto = std::env::var("ARENA_PROTO").expect("ARENA_PROTO is the directory of the messages: see build.sh");
    println!("cargo:rerun-if-env-changed=ARENA_PROTO");
    println!("cargo:rerun-if-changed={proto}");
    let play = format!("{proto}/referee/v1/play.proto");
    prost_build::Config::new().include_file("messages.rs").compile_protos(&[play], &[proto])
}
