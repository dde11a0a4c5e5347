//! Errors of git and of the operating system, in words: in Chinese their class, followed by the original English text.

use super::lang::{Both, Lang};
use crate::store::{FaultClass, StoreError, SystemFault};
use std::error::Error;
use std::io;

/// A fault in words.
#[must_use]
pub fn of_fault(fault: &SystemFault, lang: Lang) -> String {
    let SystemFault { class, text } = fault;
    match lang {
        Lang::En => text.clone(),
        Lang::Zh => format!("{}（{text}）", in_chinese(*class)),
    }
}

/// An error of the store in words.
#[must_use]
pub fn of_store(error: &StoreError, lang: Lang) -> String {
    of_fault(&error.fault(), lang)
}

/// An error in both languages, and true when its text covers the rest of the cause chain.
pub(crate) fn of_error(error: &(dyn Error + 'static)) -> (Both, bool) {
    let both = |fault: &SystemFault| Both { zh: of_fault(fault, Lang::Zh), en: of_fault(fault, Lang::En) };
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return (both(&error.fault()), true);
    }
    if let Some(error) = error.downcast_ref::<io::Error>() {
        let class = FaultClass::of_io(error);
        return match class {
            FaultClass::Other => (Both::same(error.to_string()), false),
            class => (both(&SystemFault { class, text: error.to_string() }), false),
        };
    }
    (Both::same(error.to_string()), false)
}

fn in_chinese(class: FaultClass) -> &'static str {
    match class {
        FaultClass::Missing => "文件或文件夹不在了",
        FaultClass::Denied => "没有权限",
        FaultClass::ReadOnly => "磁盘是只读的",
        FaultClass::Full => "磁盘满了",
        FaultClass::Failing => "磁盘（或网络盘）读写失败",
        FaultClass::Locked => "被别的程序锁住了",
        FaultClass::Exhausted => "系统资源不够",
        FaultClass::Garbled => "仓库里的数据读不出来",
        FaultClass::Other => "读写出错",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_is_chinese_with_its_own_words_behind() {
        let (told, _) = of_error(&io::Error::from_raw_os_error(5));
        assert!(told.zh.starts_with("磁盘（或网络盘）读写失败（"), "{told:?}");
        assert!(told.zh.contains(&told.en), "{told:?}");
        let (told, _) = of_error(&io::Error::other("disk on fire"));
        assert_eq!(told, Both::same("disk on fire"));
    }
}
