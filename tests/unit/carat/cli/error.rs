use super::*;

/// A busy folder has the same exit code before the run and during it.
#[test]
fn a_busy_folder_has_one_exit_code() {
    let busy = || StoreError::Busy(PathBuf::from("o"));
    let late = CliError::NotKept(NotKept(busy().into()));
    assert_eq!(
        (CliError::Store(busy()).exit_code(), late.exit_code()),
        (5, 5)
    );
}
