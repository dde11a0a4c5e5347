//! `novel waive`: accepts findings as intended.

use crate::commands::prelude::*;
use crate::domain::chapter::waiver::FindingId;
use crate::pipeline::checks::waivers;
use crate::report::waivers::WaiversReport;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WaiveArgs {
    #[arg(value_name = "FINDING", value_parser = value_parsers::finding, requires = "how")]
    pub(crate) findings: Vec<FindingId>,
    #[arg(long, value_name = "TEXT", value_parser = value_parsers::line, group = "how", requires = "findings")]
    pub(crate) reason: Option<String>,
    #[arg(long, group = "how", requires = "findings")]
    pub(crate) remove: bool,
}

pub(crate) fn run(app: &mut App, args: &WaiveArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let done = match &args.reason {
        Some(reason) => app.write(&book, "waive", |run| run.waive(&args.findings, reason))?,
        None if args.remove => app.write(&book, "waive", |run| run.unwaive(&args.findings))?,
        None => {
            let report = WaiversReport::of(waivers::waivers(&book)?);
            return app.ui.show_paged(&report, |lang, columns| report.text(lang, columns));
        }
    };
    match done {
        Some(done) => app.show_done(&done),
        None => app.ui.say(&both!(waived_already_for_same_reason)).map(|()| Exit::Done),
    }
}
