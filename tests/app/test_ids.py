"""Ids: what they may begin with."""

from app.store.ids import new_id


def test_an_id_is_no_option_for_a_command_and_no_formula_for_a_spreadsheet():
    made = [new_id() for _ in range(5000)]
    assert len(set(made)) == 5000
    assert all(each[0].isalnum() and len(each) == 22 for each in made)
