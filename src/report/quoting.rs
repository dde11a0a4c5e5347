use std::fmt::Display;

/// Quotes a path for a shell.
pub fn quoted(path: impl Display) -> String {
    let path = path.to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ':');
    match path.chars().all(plain) && !path.is_empty() {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_only_where_a_shell_needs_it() {
        assert_eq!(quoted("/书/第1本"), "/书/第1本");
        assert_eq!(quoted("我的 书"), "'我的 书'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
