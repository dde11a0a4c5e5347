//! Failures of work in a book; longer than 500 lines because each kind of error has its words here.

use super::{Failure, again};
use crate::agents::Breakdown;
use crate::commands::cli::exit::Exit;
use crate::commands::cli::quoting::quoted;
use crate::domain::book::config::Agent;
use crate::domain::book::work::{Part, Step};
use crate::domain::volume::outline::{self, Field};
use crate::domain::volume::plan::Flaw;
use crate::pipeline::{RunError, Why};
use crate::report::lang::both;
use crate::report::words::Words;
use crate::report::{Both, Lang, context, figures, problem};
use crate::store::format::{FormatError, Problem};
use crate::store::{Block, Obstruction, layout, template};

/// Reasons why a run stopped.
impl From<RunError> for Failure {
    /// The failure of a run; longer than 80 lines because each kind of error has its words here, in one exhaustive match.
    fn from(error: RunError) -> Self {
        match error {
            RunError::Sync(error) => error.into(),
            RunError::Begin(error) => error.into(),
            RunError::Init(error) => error.into(),
            RunError::History(error) => error.into(),
            RunError::Waiver(error) => error.into(),
            RunError::Line(error) => error.into(),
            RunError::Commit(error) => error.into(),
            RunError::Draft(error) => error.into(),
            RunError::Store(error) => error.into(),
            RunError::Format { path, source } => Self::of_file(&path, &source, true),
            RunError::BrokenEdit { path, source } => Self::of_file(&path, &source, false),
            RunError::Deleted { paths } => Self::deleted(&paths),
            RunError::InTheWay(found) => Self::in_the_way(&found),
            RunError::Outline { path, errors } => {
                let n = errors.len();
                let count = figures::of(n as u64, "mistake");
                let failure = Self::new(Exit::No, both!("`{path}` 有 {n} 处不对", "`{path}` has {count}"));
                let said = |error| in_both(|lang| problem::of_outline(error, lang));
                let failure = errors.iter().map(said).fold(failure, Self::cause);
                if errors.iter().all(|error| matches!(error.problem, outline::Problem::Lacks { .. })) {
                    return failure.hint(both!(
                        "自己补上，或交给规划师: `novel plan fill`",
                        "fill them in, or leave them to the planner: `novel plan fill`"
                    ));
                }
                let needed = Field::ALL.iter().filter(|field| field.is_required());
                let fields: Vec<&str> = needed.map(|field| field.as_str()).collect();
                let (zh, en) = (fields.join("、"), fields.join(", "));
                failure.hint(both!(
                    "每章一个 `## 第N章 标题`，下面写全 `- 字段: 内容`: {zh}",
                    "a section `## 第N章 TITLE` a chapter, with a line `- FIELD: TEXT` for each of {en}"
                ))
            }
            RunError::Lost { chapters, paths, back_to } => Self::lost(&chapters, &paths, back_to),
            RunError::NotLost(chapter) => Self::new(Exit::No, both!("{chapter} 还在书里", "{chapter} is in the book"))
                .hint(both!(
                    "只有被删掉的章才用 --remove 确认；要退回用 `novel rollback`",
                    "--remove confirms a chapter that has been deleted; to go back, use `novel rollback`"
                )),
            RunError::Missing { path } => Self::new(Exit::NotSetUp, both!("缺 `{path}`", "`{path}` is missing")).hint(
                both!("`novel doctor --repair` 从历史里找回", "`novel doctor --repair` brings it back from history"),
            ),
            RunError::NoSuchStyle { name } => {
                let names: Vec<&str> = template::PRESETS.iter().map(|preset| preset.id).collect();
                let names = names.join(", ");
                Self::usage(both!("没有内置文风 `{name}`", "there is no built-in style `{name}`"))
                    .hint(both!("可以是 {names}", "it may be {names}"))
            }
            RunError::NotPlanned { chapter, volume } => {
                let n = chapter.get();
                Self::new(Exit::Decide, both!("{chapter} 还没有大纲", "{chapter} is not planned yet")).hint(both!(
                    "`novel plan make` 规划下一卷；自己写大纲就在 volumes/{volume}/outline.md（或下一卷的）里加一节 `## 第{n}章 标题`",
                    "`novel plan make` plans the next volume; to write the outline yourself, add a section `## 第{n}章 TITLE` to volumes/{volume}/outline.md, or to the next volume's"
                ))
            }
            RunError::NotReviewed(volume) => Self::new(
                Exit::Decide,
                both!(
                    "{volume} 写完了，还没有回顾；回顾之后再写、再规划下一卷",
                    "{volume} is written and not reviewed yet; its review comes before the next volume"
                ),
            )
            .hint(both!("先回顾: `novel review {volume}`", "review it first: `novel review {volume}`"))
            .hint(both!("或由 `novel start` 带着走", "or let `novel start` lead through it")),
            RunError::NoBrief { chapter } => {
                let message = match chapter {
                    Some(chapter) => both!("没有写到 {chapter} 的质量简报", "no quality brief has {chapter} in it"),
                    None => both!("还没有质量简报", "there is no quality brief yet"),
                };
                Self::new(Exit::No, message).hint(both!(
                    "每写成五章有一份: `novel continue`",
                    "every fifth chapter brings one: `novel continue`"
                ))
            }
            RunError::PlanWaits { volume, sound } => {
                let failure = Self::new(
                    Exit::Decide,
                    both!("{volume} 的计划在等你批准", "the plan of {volume} waits for your approval"),
                );
                let look = both!("先看一遍: `novel plan`", "look at it first: `novel plan`");
                match sound {
                    true => {
                        failure.hint(both!("批准: `novel plan approve`", "approve it: `novel plan approve`")).hint(look)
                    }
                    false => failure.hint(look).hint(both!(
                        "里面还有要改的地方：改好 staging/ 里的文件，再 `novel plan approve`",
                        "it has flaws: mend the files in staging/, then `novel plan approve`"
                    )),
                }
            }
            RunError::Lacks { step, first } => {
                let command = match first {
                    Step::World => "novel world update",
                    Step::Theme => "novel world theme",
                    _ => "novel character first",
                };
                let ((what, a), (before, b)) = (step.words(), first.words());
                Self::new(Exit::No, both!("{what}之前要先有{before}", "first {b}, then {a}")).hint(both!(
                    "先 `{command}`；`novel start` 会按次序做",
                    "first `{command}`; `novel start` takes the steps in order"
                ))
            }
            RunError::NotNext { chapter, first } => Self::new(
                Exit::No,
                both!("还写不到 {chapter}：{first} 还没有", "{chapter} cannot be written yet: {first} comes first"),
            )
            .hint(both!(
                "从它写起: `novel continue --to {chapter}`",
                "write up to it: `novel continue --to {chapter}`"
            )),
            RunError::Prompt(error) => {
                Self::new(Exit::No, both!("书里的提示词有错", "a prompt file of the book has a mistake"))
                    .cause(in_both(|lang| problem::of_prompt(&error, lang)))
            }
            RunError::DoesNotFit { stage, model, needed, limit, breakdown } => {
                Self::does_not_fit(stage, &model, needed, limit, &breakdown)
            }
            RunError::Budget { spent, next, limit } => {
                let (spent, next, limit) = (figures::money(spent), figures::money(next), figures::budget(limit));
                Self::new(
                    Exit::Budget,
                    both!(
                        "预算 {limit} 快用完: 已花 {spent}，下一次调用最多 {next}",
                        "the budget of {limit} is nearly spent: {spent} so far, and the next call may cost {next}"
                    ),
                )
                .hint(both!(
                    "加预算再来: 同一条命令加 `--budget 金额`；书里付过钱的都留着",
                    "run the same command with more: `--budget AMOUNT`; what a book has paid for is kept"
                ))
            }
            RunError::UnknownPrice { model } => Self::new(
                Exit::NotSetUp,
                both!("{model} 没有价目，无法控制预算", "a budget needs a price, and that of {model} is not known"),
            )
            .hint(both!(
                "给出价格: `novel config set prices 文件`；或不设预算",
                "name a price table: `novel config set prices FILE`; or go without a budget"
            ))
            .hint(both!(
                "是自己的模型、不花钱: `novel config set price free`",
                "for a model of your own that costs nothing: `novel config set price free`"
            )),
            RunError::Model { stage, model, source } => {
                let mut failure = Self::from(&*source);
                let Both { zh, en } = spoken(stage);
                let said = both!("{model} 没有答出「{zh}」", "{model} gave no answer for `{en}`");
                failure.causes.insert(0, said);
                failure
            }
            RunError::Memory { server, fault } => Self::of_memory_server(&server, &fault),
            RunError::Unusable { stage, model, problem } => {
                let Both { zh, en } = spoken(stage);
                Self::new(
                    Exit::Model,
                    both!("{model} 为「{zh}」给的回答用不了", "the answers of {model} for `{en}` cannot be used"),
                )
                .cause(in_both(|lang| problem::of_reply(&Why::Reply(problem.clone()), lang)))
                .hint(match stage.parse() {
                    Ok(Part::Chapter(_)) => {
                        both!("回答都留着: `novel show 章号 --calls`", "they are kept: `novel show CHAPTER --calls`")
                    }
                    _ => both!(
                        "回答都留在草稿分支里: `git branch --list 'draft/*'`",
                        "they are kept on the draft branch: `git branch --list 'draft/*'`"
                    ),
                })
                .hint(again())
            }
            RunError::BrokenOff { chapter, words, path, source } => {
                let inner = Self::from(*source);
                let words = figures::count(u64::from(words));
                let mut failure = Self::new(
                    Exit::Model,
                    both!(
                        "{chapter} 没有写完：已写的 {words} 字留在 {path}",
                        "{chapter} is not finished: the {words} words that are there stay in {path}"
                    ),
                )
                .hint(both!(
                    "`novel continue` 从断处接着写；`novel decide` 看别的办法",
                    "`novel continue` goes on where it broke off; `novel decide` shows the other choices"
                ));
                failure.causes = std::iter::once(inner.message).chain(inner.causes).collect();
                let again = again();
                failure.hints.extend(inner.hints.into_iter().filter(|hint| *hint != again));
                failure
            }
            RunError::Interrupted => Self::new(Exit::Interrupted, both!("已停下", "stopped")).hint(again()),
            RunError::Unexpected(error) => {
                Self::bug(both!("novel 内部出错", "novel failed inside")).because(error.as_ref())
            }
            RunError::AnsweredMeanwhile => {
                Self::new(Exit::Busy, both!("问题已经有人答了", "the question has been answered meanwhile"))
                    .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is"))
            }
            RunError::NothingToDecide => Self::new(Exit::No, both!("没有待定的事", "nothing waits for a decision"))
                .hint(both!("`novel status` 看下一步", "`novel status` says what comes next")),
            RunError::NotOffered { chapter, decision, overall, options } => {
                let options: Vec<&str> = options.iter().map(|option| option.as_str()).collect();
                let options = options.join(" | ");
                let Both { zh, en } = match overall.map(figures::score) {
                    Some(score) => both!("评分 {score}", "it scores {score}"),
                    None => both!("正文没写完", "its text is not finished"),
                };
                Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 现在不能选 {decision}（{zh}）",
                        "`{decision}` cannot be chosen for {chapter} now ({en})"
                    ),
                )
                .hint(both!("可以选 {options}", "it may be {options}"))
            }
            RunError::NotEdited { chapter, path } => {
                Self::new(Exit::No, both!("{chapter} 的正文没有改过", "the text of {chapter} has not been changed"))
                    .hint(both!(
                        "先改 `{path}`，存盘，再 `novel decide edit`",
                        "change `{path}` and save it, then `novel decide edit`"
                    ))
            }
            RunError::Back(error) => error.into(),
            RunError::IsAccepted(chapter) => {
                let failure = Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 已经入册，不能退回其中的一场",
                        "{chapter} is accepted: it has no scenes to go back to"
                    ),
                );
                match chapter.previous() {
                    Some(before) => failure.hint(both!(
                        "整章重写: `novel rollback {before}`",
                        "to write the whole chapter again: `novel rollback {before}`"
                    )),
                    None => failure,
                }
            }
            RunError::NotInFlight { chapter, in_flight } => {
                let failure =
                    Self::new(Exit::No, both!("{chapter} 没有正在写的稿子", "{chapter} has no draft in flight"));
                match in_flight {
                    Some(other) => {
                        failure.hint(both!("正在写的是 {other}", "{other} is the one that is being written"))
                    }
                    None => {
                        failure.hint(both!("`novel status` 看写到哪了", "`novel status` says where the book stands"))
                    }
                }
            }
            RunError::NotInScenes(chapter) => {
                Self::new(Exit::No, both!("{chapter} 不是一场一场写的", "{chapter} is not written scene by scene"))
                    .hint(both!(
                        "下一章这样写: `novel continue --scenes`",
                        "to write the next one so: `novel continue --scenes`"
                    ))
            }
            RunError::RevisedSince { chapter, stage } => {
                let (zh, en) = stage.words();
                Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 写完各场以后整章{zh}过，退不回单独一场",
                        "{chapter} has been through `{en}` as a whole since its scenes were written"
                    ),
                )
                .hint(both!(
                    "各场写完时的样子: `novel show {chapter} --stage scene`",
                    "the text as the scenes left it: `novel show {chapter} --stage scene`"
                ))
            }
            RunError::NoSuchScene { chapter, scene, written } => {
                let failure =
                    Self::new(Exit::No, both!("{chapter} 还没有第 {scene} 场", "{chapter} has no scene {scene}"));
                match written {
                    0 => failure.hint(both!("一场都还没写成", "no scene is written yet")),
                    _ => failure.hint(both!(
                        "写成的有 {written} 场: `novel rollback {chapter}/scene-{written}`",
                        "{written} are written: `novel rollback {chapter}/scene-{written}`"
                    )),
                }
            }
            RunError::NoSuchCharacter { id } => {
                Self::new(Exit::No, both!("没有 id 为 `{id}` 的在场人物", "no active character has the id `{id}`"))
                    .hint(both!("`novel character list` 看有谁", "`novel character list` lists them"))
            }
            RunError::RetiredAlready { id } => {
                Self::new(Exit::No, both!("`{id}` 已经退场了", "`{id}` has left the story already"))
                    .hint(both!("`novel character list` 看有谁", "`novel character list` lists everybody"))
            }
            RunError::PersonNeeded { id, name, ties } => {
                Self::needed(both!("{name}（{id}）还不能退场", "{name} (`{id}`) cannot leave the story yet"), &ties)
            }
            RunError::NoSuchStoryline { id } => {
                Self::new(Exit::No, both!("没有 id 为 `{id}` 的故事线", "no storyline has the id `{id}`"))
                    .hint(both!("`novel storyline list` 看有哪些", "`novel storyline list` lists them"))
            }
            RunError::LineEnded { id, name } => {
                Self::new(Exit::No, both!("《{name}》（{id}）已经收了", "{name} (`{id}`) has ended already")).hint(
                    both!(
                        "要重新写它: `novel storyline resume {id}`",
                        "to take it up again: `novel storyline resume {id}`"
                    ),
                )
            }
            RunError::UnknownViewpoint { name } => {
                Self::new(Exit::No, both!("书里没有叫“{name}”的人", "nobody in the book is called `{name}`")).hint(
                    both!(
                        "`novel character list` 看有谁；新人物用 `novel character add`",
                        "`novel character list` lists them; `novel character add` makes a new one"
                    ),
                )
            }
            RunError::StorylineThere { id, name } => Self::new(
                Exit::No,
                both!("已经有故事线《{name}》（{id}）", "there is a storyline {name} (`{id}`) already"),
            )
            .hint(both!(
                "换个名字，或让它进行: `novel storyline resume {id}`",
                "choose another name, or let it run: `novel storyline resume {id}`"
            )),
            RunError::NoIdIn { name } => {
                Self::new(Exit::No, both!("从「{name}」取不出 id", "no id can be made of `{name}`"))
                    .hint(both!("用 `--id` 给一个，如 night-ferry", "give one with `--id`, such as night-ferry"))
            }
            RunError::TooManyActive { active } => {
                let n = active.len();
                let list = active.iter().map(|(id, name)| format!("{id} {name}")).collect::<Vec<_>>().join(", ");
                Self::new(
                    Exit::No,
                    both!("已经有 {n} 条故事线在进行，再多会混", "{n} storylines run already; more get mixed up"),
                )
                .cause(both!("在进行的: {list}", "these run: {list}"))
                .hint(both!(
                    "先让一条休眠: `novel storyline pause ID`",
                    "let one rest first: `novel storyline pause ID`"
                ))
            }
            RunError::LineNeeded { id, name, ties } => Self::needed(
                both!("故事线《{name}》（{id}）还停不下来", "the storyline {name} (`{id}`) cannot stop yet"),
                &ties,
            ),
            RunError::LinesDrafted { volume } => Self::new(
                Exit::No,
                both!(
                    "{volume} 在审的计划里有新的故事线",
                    "the plan of {volume} that waits begins storylines of its own"
                ),
            )
            .hint(both!(
                "先 `novel plan approve`，或 `novel plan reject`",
                "`novel plan approve` it first, or `novel plan reject`"
            )),
            RunError::TooLittleProse { han, least } => Self::new(
                Exit::No,
                both!(
                    "样本只有 {han} 个汉字，看不出文风",
                    "the samples have {han} Han characters, too few to know a style by"
                ),
            )
            .hint(both!(
                "至少要 {least} 字，两三章最好",
                "at least {least} are needed; two or three chapters are best"
            )),
            RunError::Contradictions { last, conflicts } => {
                let found = figures::of(conflicts as u64, "contradiction");
                Self::new(
                    Exit::Decide,
                    both!(
                        "写到 {last} 停下：有 {conflicts} 处和记录冲突",
                        "stopped after {last}: {found} to the records"
                    ),
                )
                .hint(both!(
                    "`novel check` 看在哪里，`novel revision make` 让人改；不改也行，`novel continue` 接着写",
                    "`novel check` shows where, `novel revision make` has them revised; `novel continue` goes on all the same"
                ))
            }
            RunError::FlawedPlan { volume, flaws, folder } => {
                let n = flaws.iter().filter(|flaw| flaw.blocks()).count();
                let Both { zh, en } = list_of(&flaws);
                Self::new(
                    Exit::Decide,
                    Both {
                        zh: format!("{volume} 的计划还有 {n} 处不能用：\n{zh}"),
                        en: format!("the plan of {volume} cannot be used yet, {n} of its flaws must go:\n{en}"),
                    },
                )
                .hint(both!(
                    "改 {folder}/outline.md 再 `novel plan approve`，或 `novel plan reject` 重来",
                    "correct {folder}/outline.md and `novel plan approve`, or `novel plan reject` and plan again"
                ))
            }
            RunError::FlawedRevision { volume, flaws } => {
                let Both { zh, en } = list_of(&flaws);
                Self::new(
                    Exit::Decide,
                    Both {
                        zh: format!("这样一改，{volume} 的计划就不成立了，书没有动：\n{zh}"),
                        en: format!(
                            "with this the plan of {volume} would not hold together, and nothing was changed:\n{en}"
                        ),
                    },
                )
                .hint(both!(
                    "改 volumes/{volume}/ 里的 outline.md 或契约，再 `novel impact --regenerate`",
                    "correct outline.md or the contracts in volumes/{volume}/, then `novel impact --regenerate`"
                ))
            }
            RunError::NoSuchRevision { name } => {
                Self::new(Exit::No, both!("没有 `{name}` 这个提交", "there is no commit `{name}`"))
                    .hint(both!("`novel log` 列出各次提交", "`novel log` lists the commits"))
            }
            RunError::TooFewChapters { volume, chapters, least } => Self::new(
                Exit::No,
                both!(
                    "{volume} 不能只有 {chapters} 章：已经写了的就有 {least} 章",
                    "{volume} cannot have {chapters} chapters: at least {least} are written"
                ),
            )
            .hint(both!("给 {least} 章或更多", "give it {least} chapters or more")),
            RunError::NoSuchVolume(volume) => {
                Self::new(Exit::No, both!("{volume} 还没有大纲", "{volume} is not planned"))
                    .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is"))
            }
            RunError::Unfinished { volume, written, planned } => Self::new(
                Exit::No,
                both!(
                    "{volume} 还没写完：{planned} 章写了 {written} 章，写完才能回顾",
                    "{volume} is reviewed when it is written: {written} of {planned} chapters are"
                ),
            )
            .hint(both!(
                "`novel continue --volume` 写到卷末；`novel review N` 看前面的卷",
                "`novel continue --volume` writes it to its end; `novel review N` shows an earlier one"
            )),
            RunError::OnTrial(volume) => Self::new(
                Exit::No,
                both!(
                    "{volume} 只有试写的几章，没有可回顾的",
                    "of {volume} there are only trial chapters to look back on"
                ),
            )
            .hint(both!("`novel start` 接着走", "`novel start` goes on")),
            RunError::Ended(volume) => {
                Self::new(Exit::No, both!("全书完，到 {volume} 为止", "the book is complete and ends with {volume}"))
                    .hint(both!(
                        "要接着写: `novel start --answer next-volume`",
                        "to go on all the same: `novel start --answer next-volume`"
                    ))
            }
            RunError::NoSuchChapter(chapter) => {
                Self::new(Exit::No, both!("{chapter} 还没有写", "{chapter} is not written yet"))
                    .hint(both!("`novel status` 看写到哪了", "`novel status` says how far the book is"))
            }
        }
    }
}

/// The name of a stage or an agent, in words.
pub(super) fn spoken(name: &str) -> Both {
    in_both(|lang| {
        let stage = name.parse::<Part>().map(|part| part.say(lang));
        stage
            .or_else(|_| name.parse::<Agent>().map(|agent| agent.say(lang)))
            .map_or_else(|_| name.to_owned(), str::to_owned)
    })
}

/// Flaws of a plan, one a line.
pub(super) fn list_of(flaws: &[Flaw]) -> Both {
    in_both(|lang| {
        let lines = flaws.iter().map(|flaw| format!("  - {}\n", problem::of_flaw(flaw, lang)));
        lines.collect::<String>().trim_end().to_owned()
    })
}

/// The words of a function in each language.
pub(super) fn in_both(say: impl Fn(Lang) -> String) -> Both {
    Both { zh: say(Lang::Zh), en: say(Lang::En) }
}

impl Failure {
    /// A file that cannot be used, in the last commit or as a change that is in no commit yet.
    pub(super) fn of_file(path: &str, error: &FormatError, committed: bool) -> Self {
        let exit = if path.starts_with("staging/") { Exit::No } else { Exit::NotSetUp };
        let told = match (path, &error.problem) {
            // Budget and models depend on it: with a bad setting the book is not set up.
            (layout::CONFIG, Problem::Value(_)) => {
                Self::new(exit, both!("`{path}` 里有不能用的设置", "`{path}` has a setting that cannot be used"))
            }
            (_, Problem::Newer { .. }) => {
                Self::new(exit, both!("`{path}` 是更新的 novel 写的", "`{path}` was written by a newer novel"))
            }
            _ => Self::new(exit, both!("`{path}` 读不出来", "`{path}` cannot be read")),
        };
        told.cause(in_both(|lang| problem::of_format(error, lang))).hint(problem::advice(error, path, committed))
    }

    /// Files that the book needs are gone: they come back, or the author says that they are to go.
    pub(super) fn deleted(paths: &[String]) -> Self {
        let (zh, en) = (paths.join("、"), paths.join(", "));
        let list: Vec<String> = paths.iter().map(|path| quoted(format!(":/{path}"))).collect();
        let list = list.join(" ");
        Self::new(Exit::Decide, both!("书里要用的文件没有了: {zh}", "deleted, and the book needs it: {en}"))
            .hint(both!("找回来: `novel doctor --repair`", "to bring it back: `novel doctor --repair`"))
            .hint(both!(
                "真要删就自己提交: `git commit -m 删除 -- {list}`",
                "to delete it on purpose, commit that yourself: `git commit -m deleted -- {list}`"
            ))
    }

    /// Things that stand where the book is about to write, each with the command that gives way.
    pub(super) fn in_the_way(found: &[Obstruction]) -> Self {
        let is_own = found.iter().any(|found| matches!(found.block, Block::Untracked | Block::Committed));
        let exit = if is_own { Exit::Decide } else { Exit::NotSetUp };
        let mut failure = Self::new(
            exit,
            both!(
                "要写的地方被占着，还没有开始写",
                "something stands where the book is to be written; nothing is begun"
            ),
        );
        for found in found {
            let shown = if found.path.is_empty() { found.full.display().to_string() } else { found.path.clone() };
            let colon = |lang: Lang| lang.pick("：", ": ");
            failure = failure
                .cause(in_both(|lang| format!("{shown}{}{}", colon(lang), problem::of_obstruction(found, lang))));
        }
        let mut hints: Vec<Both> = Vec::new();
        for found in found {
            let full = quoted(found.full.display());
            match found.block {
                Block::Untracked => {
                    let aside = quoted(format!("{}.aside", found.full.display()));
                    hints.push(both!("让开: `mv {full} {aside}`", "to make way: `mv {full} {aside}`"));
                }
                Block::Committed => {
                    let aside = quoted(format!("{}.aside", found.full.display()));
                    hints.push(both!(
                        "让开: `mv {full} {aside} && git commit -m 让开 -- {full}`",
                        "to make way: `mv {full} {aside} && git commit -m aside -- {full}`"
                    ));
                }
                Block::ReadOnly => {
                    hints.push(both!("给写权限: `chmod u+w {full}`", "to allow writing: `chmod u+w {full}`"));
                }
                Block::LinkedFolder | Block::Link | Block::File | Block::Folder => hints.push(both!(
                    "`novel doctor --repair --yes` 换成真的，原来的改名留在旁边",
                    "`novel doctor --repair --yes` puts the real thing there; the old one stays beside it under another name"
                )),
            }
        }
        let text = found.iter().find(|found| {
            let place = layout::classify(&found.path);
            found.block == Block::Untracked && matches!(place, Some(layout::BookPath::Chapter(..)))
        });
        if let Some(text) = text {
            let (full, name) = (quoted(text.full.display()), text.full.file_stem().unwrap_or_default());
            let name = name.to_string_lossy();
            hints.push(both!(
                "要用它作这一章: `git add {full} && git commit -m {name}`",
                "to make it the chapter: `git add {full} && git commit -m {name}`"
            ));
        }
        hints.dedup();
        hints.into_iter().fold(failure, Self::hint)
    }

    /// The prompt is too large for its model: what takes the room, the largest parts first.
    pub(super) fn does_not_fit(stage: &str, model: &str, needed: u64, limit: u64, breakdown: &Breakdown) -> Self {
        let mut parts: Vec<_> = breakdown.entries.iter().collect();
        parts.sort_by_key(|entry| std::cmp::Reverse(entry.tokens));
        let (needed, limit) = (figures::count(needed), figures::count(limit));
        let Both { zh, en } = spoken(stage);
        let mut failure = Self::new(
            Exit::NotSetUp,
            both!(
                "「{zh}」的提示词连同回答约 {needed} token，{model} 只装得下 {limit}；没有发送",
                "the prompt of `{en}` needs about {needed} tokens with its answer, and {model} holds {limit}; nothing was sent"
            ),
        );
        failure.causes = parts
            .iter()
            .take(5)
            .map(|entry| {
                in_both(|lang| {
                    let (name, tokens) = (context::part(&entry.name, lang), figures::count(entry.tokens.into()));
                    format!("{name}: {tokens}")
                })
            })
            .collect();
        failure
            .hint(both!(
                "换一个上下文更长的模型，或用 `novel config set context_window 数字` 说明它其实有多大",
                "use a model with a larger context, or say how large it really is: `novel config set context_window NUMBER`"
            ))
            .hint(both!(
                "或在 novel.toml 里调小 chapter.max_words 和 context.tokens",
                "or make chapter.max_words and context.tokens in novel.toml smaller"
            ))
    }
}
