//! The limit of a run's cost.

/// The limit of a run's cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// In millionths of a US dollar.
    pub micro_usd: u64,
    /// Yuan for a dollar, when the author has given the amount in yuan.
    pub cny_per_usd: Option<f64>,
}
