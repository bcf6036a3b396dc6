//! Generates the published messages, before anything is compiled.

fn main() -> std::io::Result<()> {
    let proto = if std::path::Path::new("proto").is_dir() { "proto" } else { "../../proto" }; // in a checkout of the arena
    println!("cargo:rerun-if-changed={proto}/referee");
    prost_build::Config::new()
        .include_file("messages.rs")
        .compile_protos(&[format!("{proto}/referee/v1/play.proto")], &[proto])
}
