"""The name lists are drawn up for one release of torch: a new one is looked at, name by name, before it is let in."""

import importlib

import pytest
import torch

from judge.jail.policy.names import Names

NAMES = Names.read()
REVIEW = "enter each name in judge/jail/policy/names/torch.toml, under [allowed] or under [left_out]"


def public(owner):
    return {name for name in dir(owner) if not name.startswith("_")}


def test_the_lists_were_drawn_up_for_the_torch_that_is_installed():
    assert torch.__version__.partition("+")[0] == NAMES.tested_torch


@pytest.mark.parametrize("path", sorted(NAMES.left_out))
def test_torch_has_added_no_name_that_nobody_has_looked_at(path):
    added = public(importlib.import_module(path)) - NAMES.allowed[path] - NAMES.left_out[path]
    assert not added, f"torch {torch.__version__} added {sorted(added)} to {path}: {REVIEW}"


@pytest.mark.parametrize("path", sorted(NAMES.allowed))
def test_no_allowed_name_has_gone(path):
    removed = {name for name in NAMES.allowed[path] if not hasattr(importlib.import_module(path), name)}
    assert not removed, f"{path} has no {sorted(removed)} any more: take them off the lists"


def test_tensors_have_no_attribute_that_nobody_has_looked_at():
    known = NAMES.tensor_readable | NAMES.tensor_left_out
    assert public(torch.Tensor) - known == set(), "new attributes of torch.Tensor: enter them under [tensor]"
    assert known - public(torch.Tensor) == set(), "attributes that torch.Tensor has no more: take them off [tensor]"


def test_what_is_closed_on_modules_exists():
    there = public(torch.nn.Module) | set(torch.nn.Module.__annotations__)
    assert NAMES.module_left_out <= there


def test_no_name_is_both_allowed_and_left_out():
    for path, left_out in NAMES.left_out.items():
        assert NAMES.allowed[path].isdisjoint(left_out), path
    assert NAMES.tensor_readable.isdisjoint(NAMES.tensor_left_out)


def test_every_group_names_what_exists():
    for group, members in NAMES.groups.items():
        for dotted in members:
            path, _, name = dotted.rpartition(".")
            owner = torch.Tensor if path == "torch.Tensor" else importlib.import_module(path)
            assert hasattr(owner, name), f"{group}: {dotted}"


def test_the_special_methods_that_would_open_a_door_are_not_on_the_list():
    doors = """
        __getattr__ __getattribute__ __setattr__ __delattr__ __new__ __del__ __get__ __set__ __set_name__ __format__
        __init_subclass__ __class_getitem__ __instancecheck__ __reduce__ __reduce_ex__ __getstate__ __setstate__
        __copy__ __deepcopy__ __torch_function__ __torch_dispatch__ __array__ __array_interface__
        __cuda_array_interface__ __dlpack__
    """
    assert NAMES.special_methods.isdisjoint(doors.split())
    assert len(NAMES.special_methods) == 59


def test_the_modules_that_the_language_promises_are_there(load):
    promised = (
        "torch torch.nn torch.nn.functional torch.linalg torch.special torch.fft math functools itertools collections "
        "dataclasses contextlib copy operator random time typing abc numpy"
    )
    load("".join(f"import {path}\n" for path in promised.split()))
