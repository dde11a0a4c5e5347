//! The inventory of foreshadowings, read from the book as it is in the folder, and the history of one of them.

use crate::domain::volume::inventory::{Inventory, InventoryBasis, Thread, VolumePlan};
use crate::pipeline::book::facts::{self, FactError, ToldChange};
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::book::on_disk::view_on_disk;
use crate::pipeline::book::planning_context;
use crate::pipeline::book::timeline::Timeline;
use crate::pipeline::prelude::*;

/// A foreshadowing with the commits and sentences behind its history.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadHistory {
    pub thread: Thread,
    /// Its changes, oldest first.
    pub changes: Vec<ToldChange>,
}

/// Takes the inventory. The author's changes that are in no commit count.
pub fn inventory(book: &Book) -> Result<Inventory, RunError> {
    inventory_of(&view_on_disk(book)?, &Timeline::of(book)?.chronicle)
}

/// The inventory of a book whose history is known.
pub(crate) fn inventory_of(view: &BookView<'_>, chronicle: &Chronicle) -> Result<Inventory, RunError> {
    let checkpoint = view.checkpoint()?;
    let mut ledger = view.ledger()?;
    let left_behind = chronicle.left_behind();
    let is_new = |ledger: &Ledger, id: &Slug| ledger.get(id).is_none();
    let earlier: Vec<_> = left_behind.into_iter().filter(|entry| is_new(&ledger, &entry.id)).collect();
    ledger.entries.extend(earlier);
    let volumes = volume_plans(view, checkpoint.volume)?;
    let present = checkpoint.volume;
    Ok(Inventory::of(&InventoryBasis {
        ledger: &ledger,
        volumes: &volumes,
        present,
        last_completed: checkpoint.last_completed,
    }))
}

/// The foreshadowing of the inventory that is called so, with its history: by its id, its description, or a part of it.
/// Fails with [`RunError::NameAmbiguous`]; [`FactError::NoForeshadowing`] when neither the ledger nor a plan has it; otherwise as
/// for [`inventory`].
pub fn history(book: &Book, inventory: &Inventory, typed: &str) -> Result<ThreadHistory, FactError> {
    let named = names::foreshadowing(inventory, typed)?;
    let Some(thread) = named.and_then(|id| inventory.get(&id)).cloned() else {
        let known = inventory.threads.iter().map(|thread| thread.id.as_str());
        let nearest = text::nearest(typed, known).map(str::to_owned);
        return Err(FactError::NoForeshadowing { typed: typed.to_owned(), nearest });
    };
    let changes = facts::changes_of_thread(book, &thread.id)?;
    Ok(ThreadHistory { thread, changes })
}

/// The plans of the volumes for foreshadowings, in order. A slip in the outline of a volume before `present` leaves that
/// volume out; contracts count from `present` on.
fn volume_plans(view: &BookView<'_>, present: VolumeNo) -> Result<Vec<VolumePlan>, RunError> {
    let mut plans = Vec::new();
    for volume in view.volumes()? {
        if volume >= present {
            let plan = planning_context::plan_of(view, volume)?;
            plans.push(VolumePlan::of(volume, &plan.outline, &plan.foreshadowing, plan.contracts.values()));
        } else if let (Ok(Some(outline)), Ok(planned)) =
            (view.outline(volume), files::planned_foreshadowing(view, volume))
        {
            plans.push(VolumePlan::of(volume, &outline, &planned, []));
        }
    }
    Ok(plans)
}
