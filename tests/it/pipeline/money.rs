//! The cost of calls, and the budget of a run.

use super::script::{Reply, draft};
use super::studio::{STANDARD, STRONG, Studio};
use novel::llm::Wire;

/// A book whose models are not on this machine: the server answers as the proxy of a host that is not there.
fn elsewhere() -> Studio {
    let studio = Studio::new();
    let proxy = studio.server.anthropic_url();
    let studio = studio.with("http_proxy", &proxy).with("NOVEL_BASE_URL", "http://models.test/v1");
    studio.with("NOVEL_PLAIN_HTTP", "models.test").with("NOVEL_PRICE", "")
}

/// The same with a price for both models: a dollar for a thousand tokens, in or out.
pub fn priced() -> Studio {
    let studio = elsewhere();
    let rates = "input = 1000, output = 1000, cache_read = 1000";
    let model = |name: &str| format!("[[model]]\nname = \"{name}\"\ntiers = [{{ {rates} }}]\n");
    let table = format!("as_of = \"2026-01-01\"\n{}{}", model(STANDARD), model(STRONG));
    studio.world.write("prices.toml", &table);
    let path = studio.world.path("prices.toml");
    studio.with("NOVEL_PRICES", path.to_str().unwrap())
}

#[test]
fn a_price_that_is_not_known_is_said_and_never_nothing() {
    let studio = elsewhere();
    let line = studio.go().ok();
    assert!(line.contains("unknown price") && !line.contains("$0"), "{line}");
    assert!(studio.server.requests()[0].path.starts_with("http://models.test/"));
    let cost = studio.novel(&["cost"]).ok();
    assert!(cost.contains("unknown"), "{cost}");
    assert_eq!(studio.trailer("Novel-Cost"), "unknown");
    studio.done();
}

#[test]
fn a_budget_without_a_price_is_refused_before_anything_is_sent() {
    let studio = elsewhere();
    let run = studio.novel(&["continue", "--budget", "5usd"]).fails(4);
    assert!(run.stderr.contains("so the budget cannot be enforced") && run.stderr.contains(STANDARD), "{run:#?}");
    assert!(studio.asked().is_empty());
    studio.done();
}

#[test]
fn known_prices_are_added_up() {
    let studio = priced();
    let line = studio.go().ok();
    // Each reply has 100 tokens in and as many out as it has characters.
    let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).ok();
    let calls: serde_json::Value = serde_json::from_str(&calls).unwrap();
    let tokens: u64 = calls["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["usage"]["input_tokens"].as_u64().unwrap() + call["usage"]["output_tokens"].as_u64().unwrap())
        .sum();
    let dollars = format!("${:.2}", tokens as f64 / 1000.0);
    assert!(line.contains(&dollars), "{dollars} in {line}");
    assert_eq!(studio.trailer("Novel-Cost"), format!("{:.4} USD", tokens as f64 / 1000.0));
    studio.done();
}

#[test]
fn a_run_stops_before_its_budget_is_exceeded_and_goes_on_with_more() {
    let studio = priced();
    // Enough for the longest possible draft, and then not for what comes next.
    let run = studio.novel(&["continue", "--budget", "18usd"]).fails(6);
    assert!(run.stderr.contains("--budget") && run.stderr.contains("$18.00"), "{run:#?}");
    let paid = studio.asked();
    assert_eq!(paid.first(), Some(&"draft"), "{run:#?}");
    assert!(paid.len() < 4, "{paid:?}");
    studio.check();
    let _ = studio.novel(&["continue", "--budget", "100usd"]).ok();
    let mut all = studio.asked();
    all.sort_unstable();
    assert_eq!(all, ["draft", "judge", "refine", "summarize"], "nothing is paid for twice");
    studio.done();
}

#[test]
fn what_an_answer_that_broke_off_has_cost_counts_before_it_is_asked_for_again() {
    let studio = priced().on("draft", Reply::Broken(draft()));
    let run = studio.novel(&["continue", "--budget", "18usd"]).fails(6);
    assert!(run.stderr.contains("--budget") && run.stderr.contains("$18.00"), "{run:#?}");
    assert_eq!(studio.asked(), ["draft"]);
    let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
    assert!(calls.contains("cut off after") && calls.contains("text so far"), "what was paid for is kept: {calls}");
    let _ = studio.novel(&["continue", "--budget", "100usd"]).ok();
    studio.done();
}

#[test]
fn a_budget_that_does_not_pay_for_one_call_sends_nothing() {
    let studio = priced();
    let _ = studio.novel(&["continue", "--budget", "0.01usd"]).fails(6);
    assert!(studio.asked().is_empty());
    studio.done();
}

#[test]
fn models_that_the_user_calls_free_cost_nothing_and_need_no_price() {
    let studio = Studio::new();
    let line = studio.novel(&["continue", "--budget", "0.01usd"]).ok();
    assert!(line.contains("$0.00"), "{line}");
    studio.done();
}

#[test]
fn samples_of_a_new_book_keep_to_the_budget_too() {
    let directives = || serde_json::json!({"writing_directives": ["先给一个动作，再给一句话"]});
    let studio = priced();
    studio.world.write("a.txt", &"他把灯放下，没有看那封信。雨从檐下过去，街上没有人。\n".repeat(20));
    let init =
        |dir: &str, budget: &str| studio.world.novel("", &["init", dir, "--samples", "a.txt", "--budget", budget]);
    let refused = init("poor", "1usd").fails(6);
    assert!(refused.stderr.contains("$1.00"), "{refused:#?}");
    assert!(studio.requests("style").is_empty() && !studio.world.path("poor").exists());
    studio.then("style", directives());
    let _ = init("rich", "900usd").ok();
    assert!(studio.world.read("rich/style-profile.json").contains("先给一个动作"));

    let studio = elsewhere();
    studio.world.write("a.txt", &"他把灯放下，没有看那封信。雨从檐下过去，街上没有人。\n".repeat(20));
    let unknown = studio.world.novel("", &["init", "dark", "--samples", "a.txt", "--budget", "5usd"]).fails(4);
    assert!(unknown.stderr.contains("so the budget cannot be enforced"), "{unknown:#?}");
}

#[test]
fn tokens_that_a_provider_writes_to_its_cache_are_told() {
    for (wire, told) in [(Wire::Anthropic, true), (Wire::OpenAi, false)] {
        let studio = Studio::over(wire);
        let _ = studio.go().ok();
        let cost = studio.novel(&["cost"]).ok();
        assert_eq!(cost.contains("Of the tokens in, 40 were written to the provider's cache."), told, "{cost}");
        let total = studio.novel(&["cost", "--json"]).json()["total"].clone();
        assert_eq!(total["cache_write_tokens"], if told { 40 } else { 0 }, "{total}");
        studio.done();
    }
}
