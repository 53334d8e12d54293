//! Rebuilds the crate when a document is added or removed: the embedding macro tracks only files that it has seen.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=assets");
    println!("cargo:rerun-if-changed=../../docs");
}
