//! One file an agent: typed input to prompt and schema, reply to typed output.
pub mod material;
pub mod task;
pub use material::Material;
pub use task::Task;
