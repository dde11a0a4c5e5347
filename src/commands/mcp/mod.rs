//! `novel mcp`: the book's tools for an assistant that speaks the Model Context Protocol on standard input and output. A
//! tool is its command ([`super::own_program`]).

mod call;
mod tools;

use crate::commands::own_program::OwnProgram;
use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ServerHandler, ServiceExt as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{RwLock, watch};
use tools::Tool;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct McpArgs {}

/// The time for commands under way to end in order when the assistant leaves.
const PARTING: Duration = Duration::from_secs(20);

/// The tools and the calls under way.
struct Server {
    tools: Vec<Tool>,
    program: OwnProgram,
    instructions: &'static str,
    /// True once the assistant has left.
    left: watch::Receiver<bool>,
    /// Held for reading by each call under way.
    under_way: Arc<RwLock<()>>,
}

pub(crate) fn run(app: &mut App, _: &McpArgs) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    let program = app.own_program()?;
    if app.environment.stdin_is_terminal {
        app.ui.say(&both!(mcp_waits_for_assistant))?;
    }
    let (leave, left) = watch::channel(false);
    let under_way = Arc::new(RwLock::new(()));
    let server = Server {
        tools: tools::all(lang, (app.tree)(lang, app.program)),
        program,
        instructions: say!(lang, mcp_instructions),
        left,
        under_way: under_way.clone(),
    };
    block_on(async {
        // An assistant that leaves before it has said anything wants nothing.
        let Ok(running) = server.serve(rmcp::transport::stdio()).await else { return };
        running.waiting().await.ok();
        leave.send_replace(true);
        tokio::time::timeout(PARTING, under_way.write()).await.ok();
    })?;
    Ok(Exit::Done)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("novel", env!("NOVEL_VERSION")))
            .with_instructions(self.instructions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(Tool::entry).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", request.name), None));
        };
        let _under_way = self.under_way.read().await;
        let words = match tool.command_line(&request.arguments.unwrap_or_default()) {
            Ok(words) => words,
            Err(refusal) => return Ok(call::refused(refusal.get(self.program.lang)).into()),
        };
        call::call(&self.program, &words, &context, self.left.clone()).await.map(CallToolResponse::from)
    }
}
