//! What happens on nodes: launching scripts and steps, output files, limits, program models.

pub mod model;
