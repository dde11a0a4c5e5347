//! The shapes of conversations.

/// The turns of a conversation: its two people, `0` and `1`, and the pool of each line.
pub(super) const TALKS: [&[(usize, &str)]; 9] = [
    &[(0, "ask"), (1, "evade"), (0, "press"), (1, "yield"), (0, "thank")],
    &[(1, "warn"), (0, "shrug"), (1, "warn"), (0, "shrug"), (1, "agree")],
    &[(0, "propose"), (1, "doubt"), (0, "argue"), (1, "agree")],
    &[(1, "tease"), (0, "retort"), (1, "serious"), (0, "ask"), (1, "inform")],
    &[(1, "inform"), (0, "doubt"), (1, "explain"), (0, "propose"), (1, "agree")],
    &[(0, "offer"), (1, "haggle"), (0, "haggle"), (1, "deal"), (0, "thank")],
    &[(1, "reminisce"), (0, "memory"), (1, "memory"), (0, "hush")],
    &[(1, "rumour"), (0, "gossip"), (1, "gossip"), (0, "gossip"), (1, "shush")],
    &[(0, "plead"), (1, "refuse"), (0, "plead"), (1, "relent"), (0, "thank")],
];
