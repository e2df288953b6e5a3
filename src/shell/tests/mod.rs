//! The shell against the real bash.
