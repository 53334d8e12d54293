//! `bellwether serve`. Its exit codes say whether starting again may help (docs/operating.md).

use std::error::Error;
use std::fmt::Display;
use std::future::Ready;
use std::process::ExitCode;

use crate::demo::making;
use crate::logging;
use crate::output::mention;
use crate::service::{Service, WRONG_SETTINGS};
use crate::settings::Given;

pub fn run(given: Given) -> Result<ExitCode, Box<dyn Error>> {
    let settings = match given.settle() {
        Ok(settings) => settings,
        Err(error) => return Ok(refused(&error, ExitCode::from(WRONG_SETTINGS))),
    };
    if let Err(error) = logging::start(settings.log_format, &settings.log) {
        return Ok(refused(&error, ExitCode::from(WRONG_SETTINGS)));
    }
    if making::is_unfinished(&settings.data) {
        let folder = settings.data.display();
        let error = format!(
            "{folder} holds a demo that was not finished: start the demo again, or use another folder"
        );
        return Ok(refused(&error, ExitCode::from(WRONG_SETTINGS)));
    }
    let service = match Service::start(&settings) {
        Ok(service) => service,
        Err(error) => return Ok(refused(&error, error.exit_code())),
    };
    if service.has_new_operator {
        mention!("First operator's token     {}", settings.operator_token_file.display());
    }
    mention!("Page and public API        http://{}", service.address);
    mention!("Operators' page and API    http://{}", service.admin_address);
    Ok(service.run(|_, _| Vec::<Ready<()>>::new())?)
}

fn refused(error: &dyn Display, code: ExitCode) -> ExitCode {
    eprintln!("bellwether: {error}");
    code
}
