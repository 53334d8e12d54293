//! `bellwether serve`.

use std::error::Error;
use std::future::Ready;
use std::process::ExitCode;

use crate::logging;
use crate::service::Service;
use crate::settings::Given;

pub fn run(given: Given) -> Result<ExitCode, Box<dyn Error>> {
    let settings = given.settle()?;
    logging::start(settings.log_format, &settings.log)?;
    let service = Service::start(&settings)?;
    if let Some(token) = &service.new_operator_token {
        println!(
            "The first operator's token is shown once and kept in {}:",
            settings.operator_token_file.display()
        );
        println!("  {token}");
    }
    println!("Page and public API        http://{}", service.address);
    println!("Operators' page and API    http://{}", service.admin_address);
    Ok(service.run(|_, _| Vec::<Ready<()>>::new())?)
}
