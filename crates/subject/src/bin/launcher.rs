//! A launcher that is nothing else, for tests and for programs that cannot be their own launcher.

fn main() -> std::io::Result<()> {
    gramercy_subject::launcher::serve()
}
