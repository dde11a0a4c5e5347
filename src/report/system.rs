//! Errors of git and of the operating system: in Chinese their class, followed by the original English text.

use crate::report::prelude::*;
use crate::store::{FaultClass, StoreError, SystemFault};
use std::error::Error;
use std::io;

pub fn of_fault(fault: &SystemFault, lang: Lang) -> String {
    let SystemFault { class, text } = fault;
    match class {
        FaultClass::Missing => say!(lang, system_missing(text)),
        FaultClass::Denied => say!(lang, system_denied(text)),
        FaultClass::ReadOnly => say!(lang, system_read_only(text)),
        FaultClass::Full => say!(lang, system_full(text)),
        FaultClass::Failing => say!(lang, system_failing(text)),
        FaultClass::Locked => say!(lang, system_locked(text)),
        FaultClass::Exhausted => say!(lang, system_exhausted(text)),
        FaultClass::Garbled => say!(lang, system_garbled(text)),
        FaultClass::Other => say!(lang, system_other(text)),
    }
}

/// An error in both languages, and true when its text covers the rest of the cause chain.
pub(crate) fn of_error(error: &(dyn Error + 'static)) -> (Both, bool) {
    let both = |fault: &SystemFault| Both::of(|lang| of_fault(fault, lang));
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return (both(&error.fault()), true);
    }
    if let Some(error) = error.downcast_ref::<io::Error>() {
        let class = FaultClass::of_io(error);
        return match class {
            FaultClass::Other if error.raw_os_error().is_none() => (Both::same(error.to_string()), false),
            FaultClass::Other => (Both::of(|lang| say!(lang, system_complaint(text = error))), false),
            class => (both(&SystemFault { class, text: error.to_string() }), false),
        };
    }
    (Both::same(error.to_string()), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_is_chinese_with_its_own_words_behind() {
        let (told, _) = of_error(&io::Error::from_raw_os_error(5));
        assert!(told.zh.starts_with("磁盘（或网络盘）读写失败：“"), "{told:?}");
        assert!(told.zh.contains(&told.en), "{told:?}");
        let (told, _) = of_error(&io::Error::other("disk on fire"));
        assert_eq!(told, Both::same("disk on fire"));
    }
}
