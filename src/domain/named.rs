//! Closed sets of names that stand in files, prompts and reports.

use super::notation::BadText;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` instead of {allowed}")]
pub struct UnknownName {
    pub given: String,
    /// All names of the set, separated by commas.
    pub allowed: String,
}

impl From<UnknownName> for BadText {
    fn from(UnknownName { given, allowed }: UnknownName) -> Self {
        Self::Name { given, allowed }
    }
}

/// Declares an enum whose variants each have one name in files, with `ALL`, `as_str`, `Display`, `FromStr` and serde, so
/// that each name is written once.
macro_rules! named {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All variants in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in files, prompts and `--json`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::named::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text.trim() {
                    $($text => Ok(Self::$variant),)+
                    other => Err($crate::domain::named::UnknownName {
                        given: other.to_owned(),
                        allowed: [$($text),+].join(", "),
                    }),
                }
            }
        }

        $crate::domain::notation::stands_as_text!($name);
    };
}
pub(crate) use named;
