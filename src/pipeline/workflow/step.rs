//! One step of the author's loop that needs no answer.

use super::{Wanted, said_under, standing, trial_order, volume_order};
use crate::agents::CastRequest;
use crate::domain::VolumeNo;
use crate::domain::book::work::Step;
use crate::domain::workflow::NextStep;
use crate::pipeline::book::settings::config_now;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::done::{Applied, Done};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::planning::step::{Existing, Taken};
use crate::pipeline::{Goal, Outcome};
use crate::store::{Book, template};

impl Run<'_> {
    /// Takes the step that came next when the book was looked at. Returns the commit, as far as one is to be told of, and
    /// whether to go on; when something else comes next by now, nothing is done.
    /// Fails with [`RunError::FlawedPlan`] when the trial chapters cannot be planned; otherwise those of the step.
    pub async fn advance(&self, step: NextStep, wanted: &Wanted) -> Result<(Option<Done>, bool), RunError> {
        let book = self.session.book();
        self.commit_local_changes()?;
        // Another command may have gone on since the book was looked at, or the author's own files say more now.
        if standing(book)?.next() != step {
            return Ok((None, true));
        }
        let taken = match step {
            NextStep::Style => {
                let genre = config_now(book)?.genre;
                let turned = self.use_style(template::preset_for(&genre).id)?;
                return Ok((if let Applied::Done(done) = turned { Some(done) } else { None }, true));
            }
            NextStep::Take(Step::World) => self.world("", Existing::Kept).await?,
            NextStep::Take(Step::Theme) => Taken::Done(self.theme(Existing::Kept).await?),
            NextStep::Take(_) => {
                self.cast(&CastRequest::First { protagonist: protagonist(book)? }, Existing::Kept).await?
            }
            NextStep::PlanTrial => {
                let waiting = self.plan(&trial_order()).await?;
                return match waiting {
                    None => Ok((None, true)),
                    Some(draft) => {
                        Err(RunError::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                    }
                };
            }
            NextStep::PlanVolume(volume) => {
                let order = volume_order(book, volume, wanted)?;
                self.plan(&order).await?;
                return Ok((None, true));
            }
            NextStep::Write(last) => {
                let outcomes = self.chapters(Goal::Until(last)).await?;
                return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
            }
            NextStep::Review(volume) => Taken::Done(self.review(volume, Existing::Kept).await?),
            NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Ok((None, false)),
        };
        Ok(match taken {
            Taken::Done(done) => (Some(done), true),
            // The question of the next turn.
            Taken::Waits(_) => (None, true),
        })
    }
}

/// The author's words on the protagonist, from the brief.
fn protagonist(book: &Book) -> Result<String, RunError> {
    let context = BookView::new(book.snapshot()?).planning_context()?;
    Ok(said_under(&context.brief, "## 主角").join("，"))
}
