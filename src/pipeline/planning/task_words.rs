//! The words of an outline's foreshadowing tasks, put right without asking a model.

use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::Field;
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::pipeline::prelude::*;

/// The file of an outline in which a model has written some chapters.
pub(crate) struct WrittenOutline<'a> {
    pub(crate) path: &'a str,
    /// True for the chapters that the model has written.
    pub(crate) is_written: &'a dyn Fn(ChapterNo) -> bool,
    /// The file's text with the sections of an outline.
    pub(crate) render: &'a dyn Fn(&Outline) -> String,
}

impl WrittenOutline<'_> {
    /// Returns `text` with the words of the written chapters' tasks put right: which word a task has follows from the
    /// chapters before, without asking a model. A model's text is read as a person's would be before it is kept.
    pub(crate) fn normalize_tasks(&self, mut text: String, plan: &Plan, basis: &PlanBasis) -> Result<String, RunError> {
        let &Self { path, is_written, render } = self;
        let resolve = |name: &str| basis.storylines.called(name);
        let read = |text: &str| {
            Outline::parse_with(text, &resolve).map_err(|errors| RunError::Outline { path: path.to_owned(), errors })
        };
        let mut outline = read(&text)?;
        for _ in 0..MENDS {
            let plan = Plan { outline: outline.clone(), contracts: BTreeMap::new(), ..plan.clone() };
            let mut flaws = plan.flaws(basis).into_iter().filter(|flaw| flaw.chapter().is_some_and(is_written));
            let Some(mended) = flaws.find_map(|flaw| mended(&outline, &flaw, plan.schedule.is_none())) else { break };
            text = render(&mended);
            outline = read(&text)?;
        }
        Ok(text)
    }
}

/// How many tasks of one answer are put right at most.
const MENDS: usize = 60;

/// The outline with the task of a flaw put right, where the flaw is a wrong or a missing word: planted twice is taken up
/// again, taken up before anybody planted it is planted where nothing is scheduled, and what the plan asks for is added.
fn mended(outline: &Outline, flaw: &Flaw, unscheduled: bool) -> Option<Outline> {
    let (chapter, from, to) = match flaw {
        Flaw::Order { id, chapter, action: Action::Planted } => (chapter, format!("埋设 {id}"), format!("推进 {id}")),
        Flaw::Unplanned { id, chapter } if unscheduled => {
            let task = outline.section(*chapter)?.tasks.iter().find(|task| task.id == *id)?;
            (chapter, format!("{} {id}", task.action.verb()), format!("埋设 {id}"))
        }
        // In a chapter that does something else to it, one word more would only contradict the other.
        Flaw::Untold { id, chapter, .. } if outline.section(*chapter)?.tasks.iter().any(|task| task.id == *id) => {
            return None;
        }
        Flaw::Untold { id, chapter, action } => {
            let told = outline.section(*chapter)?.field(Field::Foreshadowing).to_owned();
            let added = format!("{} {id}：按本卷的伏笔计划", action.verb());
            let now = if told == "无" { added } else { format!("{told}；{added}") };
            (chapter, format!("- {}: {told}", Field::Foreshadowing), format!("- {}: {now}", Field::Foreshadowing))
        }
        _ => return None,
    };
    let mut outline = outline.clone();
    let section = outline.sections.iter_mut().find(|section| section.chapter == *chapter)?;
    let source = section.source.replacen(&from, &to, 1);
    if source == section.source {
        return None;
    }
    section.source = source;
    Some(outline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Slug;

    fn outline(tasks: [&str; 3]) -> Outline {
        let section = |(n, task): (usize, &str)| {
            format!(
                "## 第{n}章 题{n}\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: {task}\n\
                 - 状态变化: 事{n}\n\n"
            )
        };
        Outline::parse(&(1..).zip(tasks).map(section).collect::<String>()).unwrap()
    }

    #[test]
    fn a_wrong_or_missing_word_needs_no_second_question() {
        let id = Slug::new("lamp").unwrap();
        let at = |n| ChapterNo::new(n).unwrap();
        let twice = outline(["埋设 lamp：灯", "埋设 lamp：又亮", "无"]);
        let flaw = Flaw::Order { id: id.clone(), chapter: at(2), action: Action::Planted };
        let fixed = mended(&twice, &flaw, false).unwrap();
        assert!(fixed.sections[1].source.contains("- 伏笔: 推进 lamp：又亮") && fixed.sections[0] == twice.sections[0]);
        let untold = Flaw::Untold { id: id.clone(), chapter: at(3), action: Action::Advanced };
        assert!(mended(&twice, &untold, false).unwrap().sections[2].source.contains("- 伏笔: 推进 lamp：按"));
        let contrary = Flaw::Untold { id: id.clone(), chapter: at(2), action: Action::Advanced };
        assert_eq!(mended(&twice, &contrary, false), None, "it is planted there already");
        let loose = outline(["推进 lamp：灯", "无", "无"]);
        let unplanned = Flaw::Unplanned { id, chapter: at(1) };
        assert!(mended(&loose, &unplanned, true).unwrap().sections[0].source.contains("埋设 lamp：灯"));
        assert_eq!(mended(&loose, &unplanned, false), None, "a schedule says what is planted");
        assert_eq!(mended(&loose, &Flaw::NoConflict(at(1)), true), None);
    }
}
