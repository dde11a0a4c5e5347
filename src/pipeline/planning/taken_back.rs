//! An operation on chapters that takes an earlier one back: files that are since as the earlier one has left them become what they were
//! before it, because new numbers alone do not bring back what it has dropped or moved to a neighbour.

use crate::domain::renumbering::has_words_of;
use crate::pipeline::planning::renumber_order::RenumberOrder;
use crate::pipeline::prelude::*;
use crate::store;

/// The files that become what they were before the operation which the order takes back; `change` is what its numbers make of the book.
/// Empty where the order takes none back, or leads to other texts, sections or places of chapters than before.
pub(super) fn files(
    book: &Book,
    view: &BookView<'_>,
    order: &RenumberOrder,
    change: &Change,
) -> Result<Change, RunError> {
    let Some((step, before)) = step_of(book, order)? else { return Ok(Change::default()) };
    let [left, was] = [step, before].map(|commit| book.snapshot_of(commit).map(BookView::new));
    let (left, was) = (left?, was?);
    let after = BookView::new(store::change::snapshot_over(book, view.commit_id(), change)?);
    let is_beside = |path: &&String| {
        let place = layout::classify(path).filter(|place| !matches!(place, BookPath::Outline(_)));
        place.is_some_and(|place| place.chapter().is_none_or(|chapter| chapter < order.how.first()))
    };
    let mut paths: BTreeSet<String> = left.changed_since(&was)?.into_iter().collect();
    paths.extend(change.puts.keys().filter(is_beside).cloned());
    paths.remove(layout::CHECKPOINT);
    let (mut files, mut has_all_deltas) = (Change::default(), true);
    for path in paths {
        let (place, was_there) = (layout::classify(&path), was.bytes(&path)?);
        if was_there.is_none() && order.back.as_ref().is_some_and(|back| back.records.contains_key(&path)) {
            continue;
        }
        if view.bytes(&path)? != left.bytes(&path)? {
            has_all_deltas &= !matches!(place, Some(BookPath::Delta(..)));
            continue;
        }
        let of_chapter = place.as_ref().filter(|place| !matches!(place, BookPath::QualityBrief(..)));
        let moves = of_chapter.is_some_and(|place| place.chapter().is_some()) && after.has(&path) != was.has(&path);
        if moves || order.back.is_none() && !leads_back(order.how, &path, &after, &was)? {
            return Ok(Change::default());
        }
        files = files.put_or_remove(&path, was_there);
    }
    // The state is the sum of the deltas.
    let is_sum = |path: &str| {
        path == layout::STATE
            || path == layout::FORESHADOWING
            || matches!(layout::classify(path), Some(BookPath::Memory(_)))
    };
    Ok(files.only(|path| has_all_deltas || !is_sum(path)))
}

fn step_of(book: &Book, order: &RenumberOrder) -> Result<Option<(CommitId, CommitId)>, RunError> {
    let step = match &order.back {
        _ if order.by_hand.is_some() => None,
        Some(back) => Some(book.transaction(back.step)?),
        None => store::history::in_effect(book, |step| step.renumbers().is_some())?.pop(),
    };
    let step = step.filter(|step| step.renumbers().is_some_and(|how| order.how.takes_back(how)));
    Ok(step.and_then(|step| Some((step.id, step.parent?))))
}

/// True for the text or the outline that was there before. Parts that were split become the whole without a break between them.
fn leads_back(how: Renumbering, path: &str, after: &BookView<'_>, was: &BookView<'_>) -> Result<bool, RunError> {
    let is_joined = matches!(how, Renumbering::Merge(_));
    let sections = |view: &BookView<'_>, volume| -> Result<Vec<String>, RunError> {
        let sections = view.outline(volume)?.unwrap_or_default().sections;
        Ok(sections.into_iter().map(|section| section.source.trim_end().to_owned()).collect())
    };
    Ok(match layout::classify(path) {
        Some(BookPath::Chapter(..)) => match (after.bytes(path)?, was.bytes(path)?) {
            (Some(now), Some(then)) if is_joined => {
                has_words_of(&String::from_utf8_lossy(&now), &String::from_utf8_lossy(&then))
            }
            (now, then) => now == then,
        },
        Some(BookPath::Outline(volume)) => is_joined || sections(after, volume)? == sections(was, volume)?,
        _ => true,
    })
}
