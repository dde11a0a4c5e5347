//! `novel serve`: the book in the browser of this machine. A page shows what commands print, and a button is a command
//! ([`super::own_program`]).

mod act;
mod guard;
mod site;

use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use guard::Guard;
use site::Site;
use std::net::Ipv4Addr;
use std::sync::Arc;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServeArgs {
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
}

/// The address of the book's pages.
#[derive(Serialize)]
struct Address {
    address: String,
}

pub(crate) fn run(app: &mut App, args: &ServeArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let program = app.own_program()?;
    block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await.map_err(|error| {
            let hint = both!(site_another_port);
            Failure::set_up(both!(site_cannot_listen(port = args.port))).because(&error).hint(hint)
        })?;
        let guard = Guard::new(listener.local_addr()?.port())?;
        app.ui.event(&Address { address: guard.address() }, |lang, _| {
            say!(lang, site_address(address = guard.address())) + "\n"
        })?;
        let site = Arc::new(Site::new(program, book.root().to_owned(), guard));
        let served = axum::serve(listener, site::routes(site.clone()));
        tokio::select! {
            served = served.into_future() => served?,
            pressed = tokio::signal::ctrl_c() => pressed?,
        }
        site.stop().await;
        Ok(Exit::Done)
    })?
}
