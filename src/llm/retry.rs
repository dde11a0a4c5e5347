//! Whether and when to send a request again. Pure: chance comes in as a number, and nobody waits here.

use std::time::Duration;

use jiff::fmt::rfc2822;

use super::fault::Fault;

/// How often and how patiently a request is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How many times after the first.
    pub retries: u32,
    /// The first wait when the server asks for none; doubled each time.
    pub base: Duration,
    /// The longest such wait.
    pub cap: Duration,
    /// The wait after a time-out (row R25).
    pub after_timeout: Duration,
    /// The longest wait that a server may ask for; with a longer one the call fails and tells it.
    pub patience: Duration,
}

impl Default for Policy {
    /// Two retries with 0.5 s · 2ⁿ up to 8 s, as the providers' own libraries do; 30 s after a time-out.
    fn default() -> Self {
        Self {
            retries: 2,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(8),
            after_timeout: Duration::from_secs(30),
            patience: Duration::from_secs(300),
        }
    }
}

/// What a server's headers say about trying again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// `x-should-retry`.
    pub should_retry: Option<bool>,
    /// `retry-after-ms`, or `retry-after` in seconds or as a date.
    pub retry_after: Option<Duration>,
}

impl Advice {
    /// Reads the headers of a reply. A date is measured against the reply's own `date`, not against this machine's
    /// clock, which may be wrong.
    pub fn read<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Self {
        let should_retry = match header("x-should-retry").map(str::trim) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        let number = |name| header(name).and_then(|text| text.trim().parse::<f64>().ok());
        let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after")).or_else(|| {
            let date = |name| rfc2822::parse(header(name)?.trim()).ok().map(|zoned| zoned.timestamp());
            let wait = date("retry-after")?.duration_since(date("date")?);
            Some(wait.as_secs_f64())
        });
        let retry_after = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Self { should_retry, retry_after }
    }
}

/// What to do after a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Leave it.
    GiveUp,
    /// Wait so long and send it again.
    RetryAfter(Duration),
}

impl Policy {
    /// Decides after a fault. `failed` counts the attempts of this call that have failed, this one included; `jitter`
    /// is anything from 0 to 1 and takes up to a quarter off the wait, so that many callers do not come back at once.
    ///
    /// The server's own word goes first, except that nothing makes a request worth repeating that the account, the key
    /// or the request itself is the reason for.
    pub fn decide(&self, fault: &Fault, advice: Advice, failed: u32, jitter: f64) -> Verdict {
        if !fault.is_retryable() || advice.should_retry == Some(false) || failed > self.retries {
            return Verdict::GiveUp;
        }
        if let Some(wait) = advice.retry_after {
            return if wait <= self.patience { Verdict::RetryAfter(wait) } else { Verdict::GiveUp };
        }
        if matches!(fault, Fault::Timeout { .. }) {
            return Verdict::RetryAfter(self.after_timeout);
        }
        let doubled = self.base.saturating_mul(2u32.saturating_pow(failed.saturating_sub(1)));
        let jitter = if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.0 };
        Verdict::RetryAfter(doubled.min(self.cap).mul_f64(1.0 - jitter / 4.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::llm::fault::Phase;

    fn server(status: u16) -> Fault {
        Fault::Server { status, message: String::new() }
    }

    fn advice(headers: &[(&str, &'static str)]) -> Advice {
        Advice::read(|name| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value))
    }

    fn seconds(seconds: f64) -> Verdict {
        Verdict::RetryAfter(Duration::from_secs_f64(seconds))
    }

    #[test]
    fn headers_are_read_in_every_form() {
        let wait = |headers: &[(&str, &'static str)]| advice(headers).retry_after;
        assert_eq!(wait(&[("retry-after", "2")]), Some(Duration::from_secs(2)));
        assert_eq!(wait(&[("retry-after", "20"), ("retry-after-ms", "1500")]), Some(Duration::from_millis(1500)));
        let dates = [("date", "Tue, 03 Nov 2026 08:00:00 GMT"), ("retry-after", "Tue, 03 Nov 2026 08:00:07 GMT")];
        assert_eq!(wait(&dates), Some(Duration::from_secs(7)));
        assert_eq!(wait(&dates[1..]), None);
        assert_eq!(wait(&[("retry-after", "-3")]), Some(Duration::ZERO));
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(advice(&[("x-should-retry", "false")]).should_retry, Some(false));
    }

    #[test]
    fn two_retries_growing_then_no_more() {
        let policy = Policy::default();
        let none = Advice::default();
        assert_eq!(policy.decide(&server(500), none, 1, 0.0), seconds(0.5));
        assert_eq!(policy.decide(&server(500), none, 2, 0.0), seconds(1.0));
        assert_eq!(policy.decide(&server(500), none, 3, 0.0), Verdict::GiveUp);
        let timeout = Fault::Timeout { phase: Phase::Idle, after: Duration::ZERO, partial: String::new() };
        assert_eq!(policy.decide(&timeout, none, 2, 0.5), seconds(30.0));
        let patient = Policy { retries: 9, ..policy };
        assert_eq!(patient.decide(&server(503), none, 8, 0.0), seconds(8.0));
    }

    #[test]
    fn the_server_decides_within_reason() {
        let policy = Policy::default();
        let told =
            |should_retry, wait: Option<u64>| Advice { should_retry, retry_after: wait.map(Duration::from_secs) };
        let limited = Fault::RateLimited { retry_after: None, message: String::new() };
        assert_eq!(policy.decide(&limited, told(None, Some(12)), 1, 1.0), seconds(12.0));
        assert_eq!(policy.decide(&limited, told(None, Some(4000)), 1, 1.0), Verdict::GiveUp);
        assert_eq!(policy.decide(&server(500), told(Some(false), None), 1, 0.0), Verdict::GiveUp);
        let spent = Fault::SpendLimit { message: String::new() };
        assert_eq!(policy.decide(&spent, told(Some(true), Some(1)), 1, 0.0), Verdict::GiveUp);
    }

    proptest! {
        #[test]
        fn waits_stay_within_the_cap(failed in 1u32..40, jitter in -1.0f64..2.0) {
            let policy = Policy { retries: 50, ..Policy::default() };
            let Verdict::RetryAfter(wait) = policy.decide(&server(500), Advice::default(), failed, jitter) else {
                return Err(TestCaseError::fail("gave up"));
            };
            prop_assert!(wait <= policy.cap && wait >= policy.base.mul_f64(0.74));
        }
    }
}
