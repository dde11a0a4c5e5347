//! `novel config`: shows and changes the user's own settings.

use crate::commands::prelude::*;
use crate::commands::settings::{self, keys};
use crate::report::config as report;
use crate::report::config::Origins;
use serde_json::json;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ConfigArgs {
    #[arg(long)]
    pub(crate) show_origin: bool,
    /// The action; without one everything is listed
    #[command(subcommand)]
    pub(crate) action: Option<ConfigAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum ConfigAction {
    List {
        #[arg(long)]
        show_origin: bool,
    },
    Get {
        #[arg(value_name = "KEY", value_parser = keys::parser())]
        key: Key,
    },
    Set {
        #[arg(value_name = "KEY", value_parser = keys::parser())]
        key: Key,
        #[arg(value_name = "VALUE")]
        value: String,
    },
    Unset {
        #[arg(value_name = "KEY", value_parser = keys::parser())]
        key: Key,
    },
    Path,
    Providers,
}

pub(crate) fn run(app: &mut App, args: &ConfigArgs) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    // Settings are shown and changed inside and outside a book.
    let book = app.book().ok().and_then(|book| crate::pipeline::config_now(&book).ok());
    let book = book.as_ref();
    let listed = ConfigAction::List { show_origin: false };
    match args.action.as_ref().unwrap_or(&listed) {
        ConfigAction::List { show_origin } => {
            let show_origin = *show_origin || args.show_origin;
            let listing = app.settings(&Flags::default(), book)?.listing(lang);
            let origins = if show_origin { Origins::Shown } else { Origins::Hidden };
            app.ui.show(&listing, |_, columns| listing.text(origins, columns))?;
        }
        _ if args.show_origin => return Err(Failure::usage(both!(show_origin_is_for_list_alone))),
        ConfigAction::Get { key } => {
            let settings = app.settings(&Flags::default(), book)?;
            let setting = settings.setting(*key, lang);
            let value = setting.value.clone();
            if value.is_none() && !app.ui.is_json() {
                app.ui.say(&both!(is_not_set(name = key.name())))?;
                return Ok(Exit::No);
            }
            app.ui.print(&setting, |_, _| value.as_ref().map(|value| format!("{value}\n")).unwrap_or_default())?;
            return Ok(if value.is_some() { Exit::Done } else { Exit::No });
        }
        ConfigAction::Set { key, value } => {
            let path = settings::file::set(&app.environment, *key, value)?;
            app.ui.say(&both!(wrote_to(name = key.name(), value = key.normal(value), shown = path.display())))?;
        }
        ConfigAction::Unset { key } => {
            let (path, was_set) = settings::file::unset(&app.environment, *key)?;
            let (name, shown) = (key.name(), path.display());
            match was_set {
                true => app.ui.say(&both!(took_out_of(name, shown)))?,
                false => app.ui.say(&both!(was_not_set_in(name, shown)))?,
            }
        }
        ConfigAction::Path => {
            let path = settings::file::path(&app.environment)?.display().to_string();
            app.ui.print(&json!({"path": path}), |_, _| format!("{path}\n"))?;
        }
        ConfigAction::Providers => {
            let providers: report::Providers = app.settings(&Flags::default(), book)?.providers();
            app.ui.show(&providers, |lang, columns| providers.text(lang, columns))?;
        }
    }
    Ok(Exit::Done)
}
