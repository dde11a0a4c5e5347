//! Whether and when to send a request again. Pure: chance comes in as a number, and nothing waits here.

use std::time::Duration;

use jiff::fmt::rfc2822;

use super::fault::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The most retries; an overload does not count.
    pub retries: u32,
    /// The first wait when the server asks for none, doubled each time.
    pub base: Duration,
    /// The longest wait when the server asks for none.
    pub cap: Duration,
    /// The wait after a time-out (row R25).
    pub after_timeout: Duration,
    /// How long an overload is waited out in all, and the longest wait that a server may ask for.
    pub retry_for: Duration,
}

impl Default for Policy {
    /// Two retries with 0.5 s · 2ⁿ, as in the providers' own libraries; 30 s after a time-out; ten minutes for an
    /// overload, with at most half a minute between two attempts.
    fn default() -> Self {
        Self {
            retries: 2,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(30),
            after_timeout: Duration::from_secs(30),
            retry_for: Duration::from_secs(600),
        }
    }
}

/// The attempts of a call before a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryHistory {
    /// Failed attempts without those that met an overload.
    pub failed: u32,
    /// Attempts in a row that met an overload.
    pub overloads: u32,
    /// The duration of the current overload.
    pub waited: Duration,
}

/// So many waits in a row are as short as the server asks for; later ones grow as if the server had asked for none.
const TRUSTED: u32 = 2;

/// A server's headers about retrying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    pub should_retry: Option<bool>,
    /// `retry-after-ms`, or `retry-after` in seconds or as a date.
    pub retry_after: Option<Duration>,
}

impl Advice {
    /// Reads the headers of a reply. A date is measured against the reply's own `date`, since this machine's clock may
    /// be wrong.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    GiveUp,
    /// Wait this long and send the request again.
    RetryAfter(Duration),
}

impl Policy {
    /// Decides after a fault that `past` counts already. `jitter` is a number from 0 to 1 that shortens the wait by a
    /// quarter at most, so that many callers do not return at once. The server's advice goes first, except that faults
    /// of the account, the key or the request are never retried.
    pub fn decide(&self, fault: &Fault, advice: Advice, past: RetryHistory, jitter: f64) -> RetryDecision {
        if !fault.is_retryable() || advice.should_retry == Some(false) {
            return RetryDecision::GiveUp;
        }
        let jitter = if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.0 };
        let growing = |attempts: u32| {
            let doubled = self.base.saturating_mul(2u32.saturating_pow(attempts.saturating_sub(1)));
            doubled.min(self.cap).mul_f64(1.0 - jitter / 4.0)
        };
        if fault.is_overload() {
            let left = self.retry_for.saturating_sub(past.waited);
            let untrusted = past.overloads.saturating_sub(TRUSTED);
            return match advice.retry_after {
                _ if left.is_zero() => RetryDecision::GiveUp,
                Some(asked) if asked > left => RetryDecision::GiveUp,
                // A server that asks for no wait over and over is not asked a thousand times a second.
                Some(asked) if untrusted > 0 => RetryDecision::RetryAfter(asked.max(growing(untrusted).min(left))),
                Some(asked) => RetryDecision::RetryAfter(asked),
                None => RetryDecision::RetryAfter(growing(past.overloads).min(left)),
            };
        }
        match fault {
            _ if past.failed > self.retries => RetryDecision::GiveUp,
            Fault::Timeout { .. } => RetryDecision::RetryAfter(self.after_timeout),
            _ => RetryDecision::RetryAfter(growing(past.failed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::llm::causes::Disruption;
    use crate::llm::fault::TimeoutPhase;

    fn server(status: u16) -> Fault {
        Fault::Server { status, message: String::new() }
    }

    fn advice(headers: &[(&str, &'static str)]) -> Advice {
        Advice::read(|name| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value))
    }

    fn seconds(seconds: f64) -> RetryDecision {
        RetryDecision::RetryAfter(Duration::from_secs_f64(seconds))
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

    fn failed(failed: u32) -> RetryHistory {
        RetryHistory { failed, ..RetryHistory::default() }
    }

    fn busy(overloads: u32, waited: u64) -> RetryHistory {
        RetryHistory { overloads, waited: Duration::from_secs(waited), ..RetryHistory::default() }
    }

    fn told(should_retry: Option<bool>, wait: Option<u64>) -> Advice {
        Advice { should_retry, retry_after: wait.map(Duration::from_secs) }
    }

    fn limited() -> Fault {
        Fault::RateLimited { retry_after: None, message: String::new() }
    }

    #[test]
    fn two_retries_growing_then_no_more() {
        let policy = Policy::default();
        let none = Advice::default();
        let cut = Fault::CutStream { partial: "半".into(), why: Disruption::Closed };
        assert_eq!(policy.decide(&cut, none, failed(1), 0.0), seconds(0.5));
        assert_eq!(policy.decide(&cut, none, failed(2), 0.0), seconds(1.0));
        assert_eq!(policy.decide(&cut, none, failed(3), 0.0), RetryDecision::GiveUp);
        let timeout = Fault::Timeout { phase: TimeoutPhase::Idle, after: Duration::ZERO, partial: String::new() };
        assert_eq!(policy.decide(&timeout, none, failed(2), 0.5), seconds(30.0));
        assert_eq!(policy.decide(&timeout, none, failed(3), 0.5), RetryDecision::GiveUp);
    }

    #[test]
    fn an_overload_is_waited_out_for_as_long_as_the_user_says() {
        let policy = Policy::default();
        let none = Advice::default();
        let dropped = Fault::CutStream { partial: String::new(), why: Disruption::Closed };
        let refused = Fault::Network { why: Disruption::Refused };
        let overloaded = Fault::Overloaded { message: String::new() };
        for fault in [server(500), server(503), server(529), limited(), overloaded, refused, dropped] {
            assert_eq!(policy.decide(&fault, none, busy(1, 0), 0.0), seconds(0.5), "{fault:?}");
            assert_eq!(policy.decide(&fault, none, busy(20, 300), 0.0), seconds(30.0), "{fault:?}");
            assert_eq!(policy.decide(&fault, none, busy(20, 590), 0.0), seconds(10.0), "{fault:?}");
            assert_eq!(policy.decide(&fault, none, busy(20, 600), 0.0), RetryDecision::GiveUp, "{fault:?}");
        }
        let at_once = Policy { retry_for: Duration::ZERO, ..policy };
        assert_eq!(at_once.decide(&server(503), none, busy(1, 0), 0.0), RetryDecision::GiveUp);
        assert_eq!(policy.decide(&server(501), none, failed(3), 0.0), RetryDecision::GiveUp, "it will never know that");
    }

    #[test]
    fn the_server_decides_within_reason() {
        let policy = Policy::default();
        assert_eq!(policy.decide(&limited(), told(None, Some(12)), busy(1, 0), 1.0), seconds(12.0));
        assert_eq!(policy.decide(&limited(), told(None, Some(4000)), busy(1, 0), 1.0), RetryDecision::GiveUp);
        assert_eq!(policy.decide(&limited(), told(None, Some(90)), busy(4, 550), 1.0), RetryDecision::GiveUp);
        assert_eq!(policy.decide(&limited(), told(None, Some(0)), busy(2, 0), 0.0), seconds(0.0));
        assert_eq!(policy.decide(&limited(), told(None, Some(0)), busy(6, 1), 0.0), seconds(4.0));
        assert_eq!(policy.decide(&server(500), told(Some(false), None), busy(1, 0), 0.0), RetryDecision::GiveUp);
        let spent = Fault::SpendLimit { message: String::new() };
        assert_eq!(policy.decide(&spent, told(Some(true), Some(1)), failed(1), 0.0), RetryDecision::GiveUp);
    }

    proptest! {
        #[test]
        fn waits_stay_within_the_cap_and_within_the_time(overloads in 1u32..40, waited in 0u64..700, jitter in -1.0f64..2.0) {
            let policy = Policy::default();
            match policy.decide(&server(500), Advice::default(), busy(overloads, waited), jitter) {
                RetryDecision::RetryAfter(wait) => {
                    let left = policy.retry_for - Duration::from_secs(waited);
                    prop_assert!(wait <= policy.cap && wait <= left);
                    prop_assert!(wait >= policy.base.mul_f64(0.74).min(left));
                }
                RetryDecision::GiveUp => prop_assert!(waited >= 600),
            }
        }
    }
}
