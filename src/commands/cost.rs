//! `novel cost`: adds up what the calls cost.

use crate::report::cost::By;
use clap::builder::PossibleValue;

/// Add up what the calls cost
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CostArgs {
    /// One row for each of these
    #[arg(long, value_name = "WHAT", default_value = "chapter")]
    pub(crate) by: By,
}

impl clap::ValueEnum for By {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Chapter, Self::Stage, Self::Model, Self::Volume]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::Chapter => "chapter",
            Self::Stage => "stage",
            Self::Model => "model",
            Self::Volume => "volume",
        }))
    }
}
