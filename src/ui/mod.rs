//! The page, in Leptos: one folder for each panel. It knows `protocol`, `view` and `base`, nothing else.
