pub(super) mod install;
pub(super) mod script;
