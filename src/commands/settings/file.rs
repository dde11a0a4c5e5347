use crate::commands::cli::environment::Environment;
use crate::commands::prelude::*;
use crate::commands::settings::{Origin, SettingProblem, keys};

/// The user's configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct UserFile {
    pub(crate) path: PathBuf,
    pub(crate) values: BTreeMap<Key, String>,
    /// Settings that cannot be used.
    pub(crate) problems: Vec<SettingProblem>,
}

/// Fails when no home folder is known.
pub(crate) fn path(environment: &Environment) -> Result<PathBuf, Failure> {
    environment.config_path().ok_or_else(|| Failure::set_up(both!(folder_of_your_configuration_is_not)))
}

/// Reads the file; empty if it does not exist.
pub(crate) fn load(environment: &Environment) -> Result<UserFile, Failure> {
    let Some(path) = environment.config_path() else { return Ok(UserFile::default()) };
    let shown = path.display().to_string();
    let text = environment::read_text(&path)
        .map_err(|error| Failure::set_up(both!(configuration_file_cannot_be_read(shown))).because(&error))?;
    let table: toml::Table = text.unwrap_or_default().parse().map_err(|error: toml::de::Error| {
        Failure::set_up(both!(configuration_file_is_not_valid_toml(shown))).because(&error)
    })?;
    let mut file = UserFile { path, ..UserFile::default() };
    for (name, value) in flat(&table) {
        let origin = Origin::File(file.path.clone());
        match keys::find(&name) {
            None => file.problems.push(SettingProblem::unknown(keys::no_such(&name), origin)),
            Some(key) => match key.check(&key.normal(&value)) {
                Ok(()) => {
                    file.values.insert(key, key.normal(&value));
                }
                Err(bad) => file.problems.push(SettingProblem::of(key, origin, bad)),
            },
        }
    }
    Ok(file)
}

/// The values of a table by their dotted names.
fn flat(table: &toml::Table) -> Vec<(String, String)> {
    let mut values = Vec::new();
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) => {
                values.extend(flat(inner).into_iter().map(|(below, value)| (format!("{name}.{below}"), value)));
            }
            toml::Value::Array(items) if items.iter().all(toml::Value::is_str) => {
                let items: Vec<&str> = items.iter().filter_map(toml::Value::as_str).collect();
                values.push((name.clone(), items.join(", ")));
            }
            toml::Value::String(text) => values.push((name.clone(), text.clone())),
            other => values.push((name.clone(), other.to_string())),
        }
    }
    values
}

/// Writes a setting, keeping the rest of the file with its comments. Returns the path. Fails on a value that is invalid
/// or looks like a key.
pub(crate) fn set(environment: &Environment, key: Key, value: &str) -> Result<PathBuf, Failure> {
    set_all(environment, &[(key, Some(value.to_owned()))])
}

/// Writes the settings with a value and removes those without one, all at once.
pub(crate) fn set_all(environment: &Environment, settings: &[(Key, Option<String>)]) -> Result<PathBuf, Failure> {
    for (key, value) in settings {
        let checked = value.as_ref().map_or(Ok(()), |value| key.check(&key.normal(value)));
        checked.map_err(|bad| Failure::usage(both!(value_for_is_not_understood(name = key.name()))).hint(bad.0))?;
    }
    edit(environment, |document| {
        for (key, value) in settings {
            match value {
                Some(value) => put(document, *key, &key.normal(value)),
                None => drop(take_out(document, *key)),
            }
        }
    })
}

/// Removes a setting. Returns the path, and whether the setting was there.
pub(crate) fn unset(environment: &Environment, key: Key) -> Result<(PathBuf, bool), Failure> {
    let mut was_set = false;
    let path = edit(environment, |document| was_set = take_out(document, key).is_some())?;
    Ok((path, was_set))
}

fn put(document: &mut toml_edit::DocumentMut, key: Key, value: &str) {
    let typed = match key {
        Key::Offline => toml_edit::value(value == "true"),
        _ => toml_edit::value(value),
    };
    match key.name().split_once('.') {
        Some((table, name)) => {
            let table = document.entry(table).or_insert_with(toml_edit::table);
            table[name] = typed;
        }
        None => document[key.name()] = typed,
    }
}

fn take_out(document: &mut toml_edit::DocumentMut, key: Key) -> Option<toml_edit::Item> {
    match key.name().split_once('.') {
        Some((table, name)) => document.get_mut(table)?.as_table_like_mut()?.remove(name),
        None => document.remove(key.name()),
    }
}

/// Refuses where the file cannot be written, before anything is paid for.
pub(crate) fn must_be_writable(environment: &Environment) -> Result<(), Failure> {
    let path = path(environment)?;
    environment::may_be_written(&path).map_err(|error| cannot_be_changed(&path, &error))
}

fn cannot_be_changed(path: &Path, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::set_up(both!(configuration_file_cannot_be_changed(shown = path.display()))).because(error)
}

fn edit(environment: &Environment, change: impl FnOnce(&mut toml_edit::DocumentMut)) -> Result<PathBuf, Failure> {
    let path = path(environment)?;
    let failed = |error: &(dyn std::error::Error + 'static)| cannot_be_changed(&path, error);
    let text = environment::read_text(&path).map_err(|error| failed(&error))?.unwrap_or_default();
    let mut document: toml_edit::DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| failed(&error))?;
    change(&mut document);
    environment::write_private(&path, &document.to_string()).map_err(|error| failed(&error))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::config::Agent;

    #[test]
    fn a_setting_is_written_beside_what_is_there_and_taken_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("novel.toml");
        let environment = Environment::of([("NOVEL_CONFIG", path.to_str().unwrap())]);
        environment::write_private(&path, "# mine\nprovider = \"kimi\" # for now\n").unwrap();
        set(&environment, Key::Agent(Agent::Judge), "kimi-k3.1-pro").unwrap();
        set(&environment, Key::Offline, "true").unwrap();
        let text = environment::read_text(&path).unwrap().unwrap();
        assert!(text.starts_with("# mine\nprovider = \"kimi\" # for now\noffline = true\n"), "{text}");
        assert!(text.ends_with("[agents]\njudge = \"kimi-k3.1-pro\"\n"), "{text}");
        unset(&environment, Key::Agent(Agent::Judge)).unwrap();
        let file = load(&environment).unwrap();
        assert_eq!(file.values.keys().copied().collect::<Vec<_>>(), [Key::Provider, Key::Offline]);
    }

    #[test]
    fn what_is_not_understood_is_a_problem_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("novel.toml");
        let environment = Environment::of([("NOVEL_CONFIG", path.to_str().unwrap())]);
        environment::write_private(&path, "provdier = \"kimi\"\nbudget = 5\napi_key = \"sk-abcdefghijklmnopq\"\n")
            .unwrap();
        let file = load(&environment).unwrap();
        assert_eq!(file.values, BTreeMap::from([(Key::Budget, "5usd".to_owned())]));
        let said: Vec<String> = file.problems.iter().map(|problem| problem.words().en).collect();
        assert_eq!(said.len(), 2);
        assert!(
            said.iter().any(|words| words.contains("did you mean `provider`?") && words.contains("novel.toml")),
            "{said:?}"
        );
        assert!(!said.iter().any(|words| words.contains("sk-")), "{said:?}");
        environment::write_private(&path, "fallback = [\"kimi:kimi-k3\", \"m\"]\n[agent_fallback]\njudge = \"m\"\n")
            .unwrap();
        let file = load(&environment).unwrap();
        assert_eq!(file.values[&Key::Fallback], "kimi:kimi-k3, m");
        assert_eq!(file.values[&Key::AgentFallback(Agent::Judge)], "m");
        environment::write_private(&path, "provider = \n").unwrap();
        assert_eq!(load(&environment).unwrap_err().exit(), Exit::NotSetUp);
        assert!(set(&environment, Key::Model, "sk-abcdefghijklmnopq").is_err());
    }
}
