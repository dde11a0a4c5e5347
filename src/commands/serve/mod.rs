//! `novel serve`: the book in the browser of this machine. A page shows what commands print, and a button is a command
//! ([`super::own_program`]).

mod act;
mod guard;
mod site;

use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use crate::commands::start::may_begin;
use guard::Guard;
use site::Site;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::Arc;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServeArgs {
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    #[arg(long)]
    pub(crate) lan: bool,
}

#[derive(Serialize)]
struct ServerAddress {
    address: String,
}

/// The address that the other devices of the network know this machine by. Nothing is sent.
fn address_in_network() -> Result<Ipv4Addr, Failure> {
    let failed = || Failure::set_up(both!(site_has_no_network)).hint(both!(site_without_lan));
    let own = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        // An address for examples: the system names its own end of a way there.
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    });
    match own.map_err(|error| failed().because(&error))?.ip() {
        IpAddr::V4(own) if !own.is_loopback() && !own.is_unspecified() => Ok(own),
        _ => Err(failed()),
    }
}

pub(crate) fn run(app: &mut App, args: &ServeArgs) -> Result<Exit, Failure> {
    let folder = app.folder()?;
    let root = match app.open(&folder) {
        Ok(book) => book.root().to_owned(),
        Err(error) if may_begin(&error, &folder) => folder,
        Err(error) => return Err(error.into()),
    };
    let program = app.own_program()?;
    block_on(async {
        let own = if args.lan { address_in_network()? } else { Ipv4Addr::LOCALHOST };
        let listener = tokio::net::TcpListener::bind((own, args.port)).await.map_err(|error| {
            let hint = both!(site_another_port);
            Failure::set_up(both!(site_cannot_listen(port = args.port))).because(&error).hint(hint)
        })?;
        let guard = Guard::new(own, listener.local_addr()?.port())?;
        let address = guard.address();
        app.ui.event(&ServerAddress { address: address.clone() }, |lang, _| match args.lan {
            true => say!(lang, site_address_in_network(address)) + "\n",
            false => say!(lang, site_address(address)) + "\n",
        })?;
        let site = Arc::new(Site::new(program, root, guard));
        let served = axum::serve(listener, site::routes(site.clone()));
        tokio::select! {
            served = served.into_future() => served?,
            pressed = tokio::signal::ctrl_c() => pressed?,
        }
        site.stop().await;
        Ok(Exit::Done)
    })?
}
