//! What holds for the definition of the command line as a whole.
