//! Questions, only on a terminal; elsewhere the error names the flag to give.

use super::Ui;
use super::writer::drawn;
use crate::commands::prelude::*;
use inquire::ui::{RenderConfig, Styled};
use inquire::{Confirm, InquireError, Password, PasswordDisplayMode, Select, Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultAnswer {
    Yes,
    No,
}

impl Ui {
    /// Asks yes or no. `flag` answers yes without a question. Exit 3 when no person can be asked or the answer is put
    /// off, 130 when the person breaks off.
    pub(crate) fn confirm(&mut self, question: &Both, default: DefaultAnswer, flag: &str) -> Result<bool, Failure> {
        let answer = self.confirm_or_later(question, default, flag)?;
        self.given(answer)
    }

    /// Asks yes or no; `None` when the answer is put off. Exit 3 when no person can be asked, 130 when the person
    /// breaks off.
    pub(crate) fn confirm_or_later(
        &mut self,
        question: &Both,
        default: DefaultAnswer,
        flag: &str,
    ) -> Result<Option<bool>, Failure> {
        self.must_be_able_to_ask(question, flag)?;
        let lang = self.lang();
        let yes_or_no = |yes| if yes { say!(lang, answer_yes) } else { say!(lang, answer_no) }.to_owned();
        let default = default == DefaultAnswer::Yes;
        let keys = if default { say!(lang, keys_of_yes) } else { say!(lang, keys_of_no) };
        let question = drawn(question.get(self.lang()));
        let confirm = Confirm::new(&question).with_default(default).with_help_message(keys);
        confirm.with_formatter(&yes_or_no).with_render_config(self.look()).prompt_skippable().map_err(broken_off)
    }

    /// Asks for a line of text. `flag` answers without a question.
    pub(crate) fn ask(&mut self, question: &Both, flag: &str) -> Result<String, Failure> {
        let answer = self.ask_or_later(question, flag)?;
        self.given(answer)
    }

    /// Asks for a line of text; `None` when the answer is put off. `flag` answers without a question.
    pub(crate) fn ask_or_later(&mut self, question: &Both, flag: &str) -> Result<Option<String>, Failure> {
        self.must_be_able_to_ask(question, flag)?;
        let question = drawn(question.get(self.lang()));
        let text = Text::new(&question).with_help_message(say!(self.lang(), keys_of_text));
        text.with_render_config(self.look()).prompt_skippable().map_err(broken_off)
    }

    /// Asks for a line of text that the screen does not show. `flag` answers without a question.
    pub(crate) fn ask_secret(&mut self, question: &Both, flag: &str) -> Result<String, Failure> {
        self.must_be_able_to_ask(question, flag)?;
        let question = drawn(question.get(self.lang()));
        let text = Password::new(&question).with_help_message(say!(self.lang(), keys_of_secret));
        let text = text
            .without_confirmation()
            .with_display_mode(PasswordDisplayMode::Masked)
            .with_formatter(&|_| String::new());
        let answer = text.with_render_config(self.look()).prompt_skippable().map_err(broken_off)?;
        self.given(answer)
    }

    /// Asks for one of several choices, with the cursor on the first. `flag` answers without a question.
    pub(crate) fn choose(&mut self, question: &str, choices: &[String], flag: &str) -> Result<usize, Failure> {
        self.must_be_able_to_ask(&Both::same(question.to_owned()), flag)?;
        let keys = say!(self.lang(), to_move_enter_takes_marked_one);
        let (question, choices) = (drawn(question), choices.iter().map(|choice| drawn(choice)).collect());
        let select = Select::new(&question, choices).with_help_message(keys).with_render_config(self.look());
        let answer = select.raw_prompt_skippable().map_err(broken_off)?;
        self.given(answer.map(|chosen| chosen.index))
    }

    /// The answer. Putting it off ends the command, with the way back to the question.
    fn given<T>(&mut self, answer: Option<T>) -> Result<T, Failure> {
        match answer {
            Some(answer) => Ok(answer),
            None => {
                self.say(&both!(not_now_to_answer_later(again = self.again.clone())))?;
                Err(Failure::told(Exit::Decide))
            }
        }
    }

    /// The usual look of questions, in the language of the run.
    fn look(&self) -> RenderConfig<'static> {
        let left = Styled::new(say!(self.lang(), left_open));
        RenderConfig::default().with_canceled_prompt_indicator(left)
    }

    fn must_be_able_to_ask(&self, question: &Both, flag: &str) -> Result<(), Failure> {
        if self.can_ask {
            return Ok(());
        }
        let message = both!(lang, answer_is_needed_and_nobody_can(question = question.get(lang)));
        Err(Failure::decide(message).hint(both!(answer_with(flag))))
    }
}

fn broken_off(error: InquireError) -> Failure {
    match error {
        InquireError::OperationCanceled | InquireError::OperationInterrupted => {
            Failure::new(Exit::Interrupted, both!(prompt_interrupted))
        }
        other => Failure::decide(both!(no_answer_was_given)).because(&other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::cli::args::Cli;
    use crate::commands::cli::environment::Environment;
    use crate::commands::cli::globals::Globals;
    use crate::commands::terminal::tests::Tape;
    use crate::commands::terminal::writer::Writer;
    use crate::report::Lang;
    use crate::report::style::Colour;
    use clap::Parser;

    #[test]
    fn without_a_terminal_the_flag_is_named() {
        let globals: Globals = Cli::try_parse_from(["novel", "status"]).unwrap().globals;
        let writer = || Writer::new(Box::new(Tape::default()), Colour::Off);
        let mut ui = Ui::over(writer(), writer(), &globals, &Environment::of([]), Lang::En);
        let failure = ui
            .confirm(&Both { zh: "退回？".to_owned(), en: "go back?".to_owned() }, DefaultAnswer::No, "--yes")
            .unwrap_err();
        assert_eq!(failure.exit(), Exit::Decide);
        assert!(failure.text(Lang::En).contains("`--yes`"));
    }
}
