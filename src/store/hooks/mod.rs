pub(super) mod assistant;
pub(super) mod install;
pub(super) mod script;
