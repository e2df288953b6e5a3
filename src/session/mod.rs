//! A world with a journal, a pace, keyframes and forks: what the page and the command line drive.
