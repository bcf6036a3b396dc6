//! Generates the published messages, before anything is compiled.

fn main() -> std::io::Result<()> {
    let proto = if std::path::Path::new("proto").is_dir() { "proto" } else { "../../proto" }; // in a checkout of the arena
    println!("cargo:rerun-if-changed={proto}/referee");
    prost_build::Config::new()
        .include_file("messages.rs")
        .compile_protos(
            &["referee/v1/play", "referee/lookahead/v1/lookahead"].map(|name| format!("{proto}/{name}.proto")),
            &[proto],
        )
}
