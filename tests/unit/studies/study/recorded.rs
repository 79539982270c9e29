use super::*;

#[test]
fn people_are_found_at_other_seats() {
    let names = |text: &str| Vec::from_iter(text.split(' ').map(str::to_string));
    let first = names("Anna Ben Cleo");
    let later = names("Cleo Anna Ben");
    assert_eq!(same_people(&first, &later, 3), Ok(vec![2, 0, 1]));
    assert_eq!(same_people(&[], &[], 2), Ok(vec![0, 1]));
    let wrong = same_people(&first, &names("Cleo Dora Ben"), 3);
    assert_eq!(wrong, Err("Dora".to_string()));
}
