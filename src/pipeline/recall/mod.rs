//! Accepted chapters on a Mem0 server, which finds passages by their meaning.
//! A chapter is kept there in windows ([`windows`]), each with the book, the chapter, the text's content id, the scene and its own
//! number. Nothing is noted here about what the server has: before a search, what it lists is compared with the chapters of the
//! book's last commit ([`server`]). Rollbacks, lines, edits and other devices need no code of their own, and what a kill left
//! half done is finished by the next comparison.
//! Texts that come back are compared and never used: a passage is always the book's own text.

pub mod server;
pub mod windows;
