//! Failures of the model's side.

use super::Failure;
use super::run::in_both;
use crate::commands::cli::exit::Exit;
use crate::llm::{self, Fault};
use crate::report::lang::both;
use crate::report::{figures, problem};

/// Failures of the model's side.
impl From<&llm::Failure> for Failure {
    fn from(failure: &llm::Failure) -> Self {
        let model = |zh: &str, en: &str| Self::new(Exit::Model, both!("{zh}", "{en}"));
        let again = both!("再运行同一条命令就接着做", "run the same command again to go on from here");
        let account = both!("到服务商的网站查看账户", "look at your account on the provider's site");
        let told = match &failure.fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商不接受这把密钥", "the provider does not accept the key")).hint(
                    both!("`novel config providers` 看用的是哪家", "`novel config providers` shows whose key is used"),
                )
            }
            Fault::UnknownModel { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商没有这个模型", "the provider does not have this model"))
                    .hint(both!("`novel config set model 模型名`", "`novel config set model NAME`"))
            }
            Fault::Protocol { .. } | Fault::BadRequest { .. } => {
                model("服务器听不懂请求，或不按约定回答", "the server and this program do not understand each other")
                    .hint(both!("检查设置 base_url 和 wire", "check the settings `base_url` and `wire`"))
            }
            Fault::Billing { .. } => model("账户余额不足", "the account has no balance left").hint(account).hint(again),
            Fault::SpendLimit { .. } => {
                model("账户的花费上限到了", "the account's spending limit is reached").hint(account).hint(again)
            }
            Fault::ContextTooLong { .. } => {
                model("提示词超出模型的上下文", "the prompt does not fit the model's context").hint(both!(
                    "`novel context 章号` 看它的构成，或换一个上下文更长的模型",
                    "`novel context CHAPTER` shows what it is made of; or choose a model with a larger context"
                ))
            }
            Fault::Truncated { .. } => model("回复没写完就断了", "the answer ended before it was complete").hint(again),
            Fault::Circling { .. } => model("模型一直在重复同一段话", "the model goes round in circles")
                .hint(again)
                .hint(both!("换个模型: `--model 模型名`", "try another model: `--model NAME`")),
            Fault::Refused { .. } => model("模型拒绝回答", "the model declined to answer")
                .hint(both!("换个模型: `--model 模型名`", "try another model: `--model NAME`")),
            Fault::Network { .. } => model("连不上服务器", "no connection to the server").hint(again),
            Fault::Stopped { .. } => Self::new(Exit::Interrupted, both!("已中断", "stopped")).hint(again),
            Fault::Timeout { .. } => model("等不到回复", "no answer came in time")
                .hint(again)
                .hint(both!("等待时长可调: timeouts.*", "the settings `timeouts.*` say how long to wait")),
            Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::Server { .. }
            | Fault::CutStream { .. }
            | Fault::Empty => {
                model("模型的服务现在不可用", "the model's server does not work at the moment").hint(again)
            }
        };
        let told = told.cause(in_both(|lang| problem::of_fault(&failure.fault, lang)));
        match failure.asked_wait.filter(|_| failure.fault.is_overload()) {
            None => told,
            Some(wait) => {
                let wait = figures::duration(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                told.cause(both!("服务器要求等 {wait}", "the server asks for a wait of {wait}"))
                    .hint(both!("等得更久: `--retry-for 2h`", "to wait longer: `--retry-for 2h`"))
            }
        }
    }
}
