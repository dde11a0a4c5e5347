//! The command line: global flags and the list of commands. Each command's own arguments are in its file.

use crate::commands::cli::globals::Globals;
use crate::commands::cli::help;
use crate::commands::prelude::*;
use crate::commands::{
    branch, chapter, character, check, config, context, r#continue, cost, decide, demo, diff, doctor, export, facts,
    foreshadow, hooks, impact, import, init, log, man, mcp, metrics, plan, rebuild, report, review, revision, rollback,
    search, serve, setup, show, start, status, storyline, style, sync, wish, work, world, write,
};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

#[derive(Debug, Clone, Parser)]
#[command(name = "novel", version = env!("NOVEL_VERSION"), subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Flags that every command has.
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Declares the commands, [`alone`] and [`Command::run`]: for each the word typed, the name here, and the arguments and the
/// function in its file.
macro_rules! commands {
    ($($word:literal => $name:ident($file:ident::{$args:ident, $run:ident}),)+) => {
        /// The commands, in the order of help: writing, looking, going back, everything else.
        #[derive(Debug, Clone, Subcommand)]
        pub(crate) enum Command {
            $(#[command(name = $word)] $name($file::$args),)+
        }

        /// One command with its arguments; `None` for an unknown word.
        fn alone(word: &str) -> Option<clap::Command> {
            match word {
                $($word => Some(<$file::$args>::augment_args(clap::Command::new($word))),)+
                _ => None,
            }
        }

        impl Command {
            pub(crate) fn run(&self, app: &mut App) -> Result<Exit, Failure> {
                match self {
                    $(Self::$name(args) => $file::$run(app, args),)+
                }
            }
        }
    };
}

commands! {
    "setup" => Setup(setup::{SetupArgs, run}),
    "init" => Init(init::{InitArgs, run}),
    "import" => Import(import::{ImportArgs, run}),
    "start" => Start(start::{StartArgs, run}),
    "world" => World(world::{WorldArgs, run}),
    "character" => Character(character::{CharacterArgs, run}),
    "chapter" => Chapter(chapter::{ChapterArgs, run}),
    "storyline" => Storyline(storyline::{StorylineArgs, run}),
    "plan" => Plan(plan::{PlanArgs, run}),
    "impact" => Impact(impact::{ImpactArgs, run}),
    "rebuild" => Rebuild(rebuild::{RebuildArgs, run}),
    "style" => Style(style::{StyleArgs, run}),
    "continue" => Continue(r#continue::{ContinueArgs, run}),
    "write" => Write(write::{WriteArgs, run}),
    "wish" => Wish(wish::{WishArgs, run}),
    "decide" => Decide(decide::{DecideArgs, run}),
    "review" => Review(review::{ReviewArgs, run}),
    "status" => Status(status::{StatusArgs, run}),
    "log" => Log(log::{LogArgs, run}),
    "show" => Show(show::{ShowArgs, run}),
    "diff" => Diff(diff::{DiffArgs, run}),
    "state" => State(facts::{StateArgs, state}),
    "history" => History(facts::{HistoryArgs, history}),
    "blame" => Blame(facts::{BlameArgs, blame}),
    "check" => Check(check::{CheckArgs, run}),
    "waive" => Waive(check::{WaiveArgs, waive}),
    "revision" => Revision(revision::{RevisionArgs, run}),
    "search" => Search(search::{SearchArgs, run}),
    "export" => Export(export::{ExportArgs, run}),
    "foreshadow" => Foreshadow(foreshadow::{ForeshadowArgs, run}),
    "context" => Context(context::{ContextArgs, run}),
    "cost" => Cost(cost::{CostArgs, run}),
    "metrics" => Metrics(metrics::{MetricsArgs, run}),
    "report" => Report(report::{ReportArgs, run}),
    "rollback" => Rollback(rollback::{RollbackArgs, run}),
    "undo" => Undo(rollback::{UndoArgs, undo}),
    "redo" => Redo(rollback::{UndoArgs, redo}),
    "restore" => Restore(rollback::{RestoreArgs, restore}),
    "branch" => Branch(branch::{BranchArgs, run}),
    "compare" => Compare(diff::{CompareArgs, compare}),
    "adopt" => Adopt(branch::{AdoptArgs, adopt}),
    "sync" => Sync(sync::{SyncArgs, run}),
    "clone" => Clone(sync::{CloneArgs, clone}),
    "work" => Work(work::{WorkArgs, run}),
    "doctor" => Doctor(doctor::{DoctorArgs, run}),
    "hooks" => Hooks(hooks::{HooksArgs, run}),
    "serve" => Serve(serve::{ServeArgs, run}),
    "mcp" => Mcp(mcp::{McpArgs, run}),
    "config" => Config(config::{ConfigArgs, run}),
    "demo" => Demo(demo::{DemoArgs, run}),
    "completions" => Completions(man::{CompletionsArgs, completions}),
    "man" => Man(man::{ManArgs, run}),
}

/// The whole command line for clap, with help in the given language. Usage lines begin with `program`: `novel` or `git
/// novel`.
pub fn tree(lang: Lang, program: &'static str) -> clap::Command {
    help::apply(Cli::command().bin_name(program).max_term_width(100), lang)
}

/// Reads a command line, first without the other commands and without help, which take several times as long to build
/// as all else of a short command. A line that fails is read again with everything, for the error or the help in the
/// given language.
pub(crate) fn read(args: &[OsString], lang: Lang, program: &'static str) -> Result<Cli, clap::Error> {
    let by = |tree: clap::Command| tree.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    by(with_one_command(args, program)).or_else(|ended| match ended.kind() {
        ErrorKind::DisplayVersion => Err(ended),
        _ => by(tree(lang, program)),
    })
}

/// The command line with the first command named in it. If that word is the value of a flag and another one the
/// command, this tree does not know the command, and never takes one for another.
fn with_one_command(args: &[OsString], program: &'static str) -> clap::Command {
    let words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let top = clap::Command::new("novel").version(env!("NOVEL_VERSION")).bin_name(program);
    Globals::augment_args(top).subcommands(words.filter_map(alone).take(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_tree_is_sound_in_both_languages() {
        tree(Lang::En, "novel").debug_assert();
        tree(Lang::Zh, "git novel").debug_assert();
    }

    #[test]
    fn a_command_by_itself_takes_what_it_takes_among_all() {
        let ids = |command: &clap::Command| command.get_arguments().map(|arg| arg.get_id().clone()).collect::<Vec<_>>();
        for command in Cli::command().get_subcommands() {
            let by_itself = alone(command.get_name()).unwrap();
            assert_eq!(ids(&by_itself), ids(command), "{}", command.get_name());
        }
    }

    #[test]
    fn a_flag_with_the_name_of_a_command_as_its_value_is_read_as_a_flag() {
        let args: Vec<OsString> = ["novel", "-C", "status", "log", "5"].map(OsString::from).to_vec();
        let cli = read(&args, Lang::En, "novel").unwrap();
        assert_eq!(cli.globals.directory, Some("status".into()));
        assert!(matches!(cli.command, Command::Log(_)), "{:?}", cli.command);
    }

    #[test]
    fn global_flags_stand_anywhere() {
        let between = ["novel config -C book --json -vv list", "novel branch -C book --json -vv switch other"];
        for line in ["novel -C book --json -vv status", "novel status -C book --json -vv"].into_iter().chain(between) {
            let globals = parse(line).unwrap().globals;
            assert!(globals.json && globals.verbose == 2, "{line}");
            assert_eq!(globals.directory, Some("book".into()), "{line}");
        }
        assert!(parse("novel -q -v status").is_err());
    }

    #[test]
    fn a_command_takes_what_its_help_says() {
        for line in [
            "novel init 书 --genre 玄幻 --words 2500-3500 --samples a.txt b.txt",
            "novel continue 3 --budget 5usd --stream",
            "novel continue --to ch-50 --model deepseek:deepseek-flash",
            "novel decide accept --chapter 48",
            "novel decide wrap-up",
            "novel decide style --style light",
            "novel review vol-2 --force --offline",
            "novel plan make --closing --chapters 12",
            "novel context 48 --agent judge --prompt",
            "novel log 40-48 -n 5 --kind chapter --kind rollback",
            "novel show ch-48 --stage refined",
            "novel diff ch-45",
            "novel diff ch-48 --stage draft..refined --sentences",
            "novel state",
            "novel state 林枫.location@ch-30",
            "novel state @vol-2",
            "novel state old_map@HEAD~3",
            "novel history characters.lin-feng.location -n 5",
            "novel blame 林枫",
            "novel check ch-41 50",
            "novel waive",
            "novel waive ch-12/leak/老周 12/W-003 --reason 群像",
            "novel waive all/variant/林峰 --remove",
            "novel search 密信 城门 --limit 5 --chapters 1-40 --in chapters --in summaries",
            "novel foreshadow",
            "novel foreshadow --all --timeline",
            "novel foreshadow old_map",
            "novel rollback vol-2 --dry-run",
            "novel rollback plan vol-02",
            "novel rollback HEAD~1",
            "novel undo 2",
            "novel rollback ch-45 --keep brief.md --keep world --dry-run",
            "novel restore",
            "novel restore ch-48 --from HEAD~3 --print",
            "novel branch alt-ending --from ch-45 --switch",
            "novel branch switch alt-ending",
            "novel compare alt-ending main --chapter 46",
            "novel adopt alt-ending",
            "novel continue --candidates 3 --choose",
            "novel decide pick --candidate 2",
            "novel sync origin --take theirs",
            "novel sync --dry-run",
            "novel clone git@h:b.git 书",
            "novel work books.txt --chapters 3 --once",
            "novel continue --take-lease",
            "novel cost --by model",
            "novel doctor --repair --yes",
            "novel config set provider ollama",
            "novel completions fish",
        ] {
            assert!(parse(line).is_ok(), "{line}: {}", parse(line).unwrap_err());
        }
        for line in [
            "novel",
            "novel write 9-5",
            "novel write 5 --wish x",
            "novel continue 0",
            "novel continue 3 --to 50",
            "novel continue --offline --model x",
            "novel decide maybe",
            "novel context 48 --agent style-analyzer",
            "novel show ch-48 --summary --delta",
            "novel diff ch-44 ch-45 --stage draft..refined",
            "novel rollback",
            "novel doctor --yes",
            "novel restore --print",
            "novel branch --from ch-45",
            "novel continue 2 --candidates 3",
            "novel continue --choose",
            "novel continue --candidates 1",
            "novel adopt",
            "novel sync --take both",
            "novel sync --auto --dry-run",
            "novel clone",
            "novel log --kind nonsense",
            "novel state x@--exec",
            "novel history x@ch-30",
            "novel history",
            "novel blame x@",
            "novel waive ch-12/W-003",
            "novel waive ch-12 --reason x",
            "novel waive --reason x",
            "novel waive --remove",
            "novel waive ch-12/W-003 --reason x --remove",
            "novel search",
            "novel search 密信 --in notes",
            "novel foreshadow old_map --timeline",
            "novel foreshadow Old Map",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
