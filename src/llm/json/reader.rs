use super::NotJson;
use serde_json::{Map, Value};

const DEEPEST: u8 = 100;
/// A doubled key, which no repair resolves.
pub(super) const TWICE: &str = "a key is there twice";

/// The place of a string, which decides the possible next characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StringPlace {
    Alone,
    Key,
    Field,
    Item,
}

/// Reads strict JSON like any other reader, and JSON with the slips that Chinese-writing models make.
pub(super) struct JsonReader<'a> {
    pub(super) chars: &'a [char],
    pub(super) at: usize,
}

impl JsonReader<'_> {
    pub(super) fn value(&mut self, place: StringPlace, depth: u8) -> Result<Value, NotJson> {
        if depth > DEEPEST {
            return self.broken("it is nested too deeply");
        }
        match self.peek()? {
            '{' | '｛' => self.object(depth),
            '[' | '［' => self.list(depth),
            '"' | '“' | '”' => self.string(place).map(Value::String),
            c if c == '-' || c.is_ascii_digit() => self.number(),
            c if c.is_ascii_alphabetic() => self.literal(),
            _ => self.broken("a value is expected"),
        }
    }

    fn object(&mut self, depth: u8) -> Result<Value, NotJson> {
        self.at += 1;
        let mut fields = Map::new();
        loop {
            match self.peek()? {
                '}' | '｝' => {
                    self.at += 1;
                    return Ok(Value::Object(fields));
                }
                '"' | '“' | '”' => {}
                _ => return self.broken("a key is expected"),
            }
            let key = self.string(StringPlace::Key)?;
            match self.peek()? {
                ':' | '：' => self.at += 1,
                _ => return self.broken("a colon is expected"),
            }
            let value = self.value(StringPlace::Field, depth + 1)?;
            if fields.insert(key, value).is_some() {
                return self.broken(TWICE);
            }
            match self.peek()? {
                ',' | '，' => self.at += 1,
                '}' | '｝' => {
                    self.at += 1;
                    return Ok(Value::Object(fields));
                }
                _ => return self.broken("a comma or the end of an object is expected"),
            }
        }
    }

    fn list(&mut self, depth: u8) -> Result<Value, NotJson> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            if let ']' | '］' = self.peek()? {
                self.at += 1;
                return Ok(Value::Array(items));
            }
            items.push(self.value(StringPlace::Item, depth + 1)?);
            match self.peek()? {
                ',' | '，' => self.at += 1,
                ']' | '］' => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                _ => return self.broken("a comma or the end of a list is expected"),
            }
        }
    }

    fn number(&mut self) -> Result<Value, NotJson> {
        let token = self.run(|c| c.is_ascii_digit() || "+-.eE".contains(c));
        match serde_json::from_str::<Value>(&token) {
            Ok(value) => Ok(value),
            Err(_) if self.at == self.chars.len() => Err(NotJson::Truncated),
            Err(_) => self.broken("a number is malformed"),
        }
    }

    fn literal(&mut self) -> Result<Value, NotJson> {
        match self.run(|c| c.is_ascii_alphanumeric()).as_str() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "null" => Ok(Value::Null),
            _ if self.at == self.chars.len() => Err(NotJson::Truncated),
            _ => self.broken("a bare word"),
        }
    }

    fn run(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let token: String = self.chars[self.at..].iter().take_while(|c| belongs(**c)).collect();
        self.at += token.len();
        token
    }

    /// A quotation mark ends the string only where the next characters fit the structure and the marks inside pair up.
    fn string(&mut self, place: StringPlace) -> Result<String, NotJson> {
        let curly = self.chars[self.at] != '"';
        self.at += 1;
        let mut text = String::new();
        let (mut inner, mut depth) = (0u32, 0u32);
        loop {
            let Some(&c) = self.chars.get(self.at) else {
                return if inner == 0 && depth == 0 {
                    Err(NotJson::Truncated)
                } else {
                    self.broken("it is not clear where a string ends")
                };
            };
            self.at += 1;
            match c {
                '\\' => {
                    let decoded = self.escape()?;
                    text.push(decoded);
                }
                '"' if !curly => {
                    if inner.is_multiple_of(2) && self.may_end(place) {
                        return Ok(text);
                    }
                    inner += 1;
                    text.push(c);
                }
                '“' if curly => {
                    depth += 1;
                    text.push(c);
                }
                '”' if curly => {
                    if depth == 0 {
                        if self.may_end(place) {
                            return Ok(text);
                        }
                        return self.broken("it is not clear where a string ends");
                    }
                    depth -= 1;
                    text.push(c);
                }
                '\n' | '\r' | '\t' => text.push(c),
                '\0'..'\u{20}' => {}
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        let Some(&c) = self.chars.get(self.at) else { return Err(NotJson::Truncated) };
        self.at += 1;
        Ok(match c {
            '"' | '\\' | '/' | '\'' => c,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let high = self.unit()?;
                if !(0xd800..0xdc00).contains(&high) {
                    return char::from_u32(high).map_or_else(|| self.broken("a malformed escape"), Ok);
                }
                if self.chars[self.at..].get(..2) != Some(&['\\', 'u']) {
                    return self.broken("a malformed escape");
                }
                self.at += 2;
                let low = self.unit()?;
                let code = 0x10000 + ((high - 0xd800) << 10) + low.wrapping_sub(0xdc00);
                match char::from_u32(code) {
                    Some(c) if (0xdc00..0xe000).contains(&low) => c,
                    _ => return self.broken("a malformed escape"),
                }
            }
            _ => return self.broken("a malformed escape"),
        })
    }

    fn unit(&mut self) -> Result<u32, NotJson> {
        let Some(digits) = self.chars[self.at..].get(..4) else { return Err(NotJson::Truncated) };
        let code = digits.iter().try_fold(0, |code, digit| Some(code * 16 + digit.to_digit(16)?));
        self.at += 4;
        code.map_or_else(|| self.broken("a malformed escape"), Ok)
    }

    /// True when a string at `place` may end before here. The end of the text fits anything: then the structure breaks
    /// off, not the string.
    fn may_end(&self, place: StringPlace) -> bool {
        let Some(next) = self.skip(self.at) else { return true };
        match (place, self.chars[next]) {
            (StringPlace::Alone, _) | (StringPlace::Key, ':' | '：') => true,
            (StringPlace::Key, _) => false,
            (StringPlace::Field, '}' | '｝') | (StringPlace::Item, ']' | '］') => true,
            (StringPlace::Field, ',' | '，') => self.key_follows(next + 1),
            (StringPlace::Item, ',' | '，') => self.skip(next + 1).is_none_or(|at| {
                matches!(self.chars[at], '"' | '“' | '{' | '[' | ']' | '-' | 't' | 'f' | 'n' | '0'..='9')
            }),
            _ => false,
        }
    }

    /// True when a key and its colon, or the end of the object, stand at `from`.
    fn key_follows(&self, from: usize) -> bool {
        let Some(start) = self.skip(from) else { return true };
        let close = match self.chars[start] {
            '}' | '｝' => return true,
            '"' => '"',
            '“' => '”',
            _ => return false,
        };
        let mut at = start + 1;
        while let Some(&c) = self.chars.get(at) {
            match c {
                '\\' => at += 2,
                c if c == close => {
                    return self.skip(at + 1).is_none_or(|next| matches!(self.chars[next], ':' | '：'));
                }
                _ => at += 1,
            }
        }
        true
    }

    fn skip(&self, from: usize) -> Option<usize> {
        (from..self.chars.len()).find(|&at| !is_space(self.chars[at]))
    }

    /// The next character after white space.
    fn peek(&mut self) -> Result<char, NotJson> {
        self.at = self.skip(self.at).ok_or(NotJson::Truncated)?;
        Ok(self.chars[self.at])
    }

    fn broken<T>(&self, message: &'static str) -> Result<T, NotJson> {
        Err(NotJson::Broken { message, near: near(self.chars, self.at) })
    }
}

pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

pub(super) fn near(chars: &[char], at: usize) -> String {
    let at = at.min(chars.len());
    chars[at.saturating_sub(12)..(at + 12).min(chars.len())].iter().collect()
}
