import pytest

from app.bank import bank_directory, open_bank
from app.settings import Rate, Settings, SettingsError, read_settings, variable_of
from problems.shipped import shipped_bank


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)


def test_an_unknown_variable_is_refused_with_the_nearest_setting(monkeypatch):
    monkeypatch.setenv("TENSORGRADE_WAVE", "landlock")
    with pytest.raises(SettingsError, match=r"TENSORGRADE_WAVE is not a setting; did you mean TENSORGRADE_WAIVE\?"):
        read_settings()


def test_an_unknown_variable_like_nothing_lists_the_settings(monkeypatch):
    monkeypatch.setenv("TENSORGRADE_QQQQ", "1")
    with pytest.raises(SettingsError, match="the settings are TENSORGRADE_DATA_DIR, "):
        read_settings()


@pytest.mark.parametrize(
    "name",
    [
        "TENSORGRADE_PORT",
        "TENSORGRADE_PORT_8000_TCP",
        "TENSORGRADE_PORT_8000_TCP_ADDR",
        "TENSORGRADE_SERVICE_HOST",
        "TENSORGRADE_SERVICE_PORT_HTTP",
        "TENSORGRADE_WEB_SERVICE_HOST",
    ],
)
def test_variables_of_a_container_platform_are_nobody_s_settings(monkeypatch, name):
    monkeypatch.setenv(name, "tcp://10.0.0.1:8000")
    assert read_settings() == Settings()


@pytest.mark.parametrize("value", ["bubblewrap", " bubblewrap , landlock,", "Landlock"])
def test_layers_are_waived_by_name_with_commas_between(monkeypatch, value):
    monkeypatch.setenv("TENSORGRADE_WAIVE", value)
    assert read_settings().waive == {name.strip().lower() for name in value.split(",") if name.strip()}


def test_a_layer_that_does_not_exist_cannot_be_waived(monkeypatch):
    monkeypatch.setenv("TENSORGRADE_WAIVE", "answers")
    with pytest.raises(SettingsError, match='TENSORGRADE_WAIVE=answers: "answers" is not a layer; the layers are'):
        read_settings()


@pytest.mark.parametrize(
    ("variable", "value"),
    [("TENSORGRADE_ZYGOTES", "0"), ("TENSORGRADE_ZYGOTES", "two"), ("TENSORGRADE_LOG_LEVEL", "loud")],
)
def test_a_value_that_cannot_be_used_is_named_with_its_variable(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=f"^{variable}={value}: .*\\.$"):
        read_settings()


def test_an_empty_variable_is_as_if_it_were_not_there(monkeypatch):
    monkeypatch.setenv("TENSORGRADE_ZYGOTES", "")
    assert read_settings() == Settings()


def test_the_data_directory_follows_xdg(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert read_settings().data_dir == tmp_path / "tensorgrade"


def test_settings_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        read_settings().zygotes = 3


def test_a_checkout_serves_its_own_bank():
    assert bank_directory(read_settings()) == shipped_bank()


def test_an_installed_program_serves_a_copy_in_the_data_directory(monkeypatch, tmp_path):
    installed = tmp_path / "site-packages" / "problems" / "bank"
    monkeypatch.setattr("app.bank.shipped_bank", lambda: installed)
    settings = Settings(data_dir=tmp_path / "data")
    assert bank_directory(settings) == tmp_path / "data" / "bank"


def test_a_missing_bank_is_filled_with_the_shipped_packages(tmp_path):
    bank = open_bank(Settings(bank=tmp_path / "new" / "bank"))
    assert "scaled-dot-product-attention" in bank.problems()


def test_a_bank_with_something_in_it_is_left_as_it_is(tmp_path):
    (tmp_path / "mine").mkdir()
    assert open_bank(Settings(bank=tmp_path)).problems() == {}
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]


def test_a_bank_that_is_a_file_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "bank").write_text("")
    with pytest.raises(SettingsError, match=r"The bank .*/bank cannot be used: .*set TENSORGRADE_BANK"):
        open_bank(Settings(bank=tmp_path / "bank"))


@pytest.mark.parametrize(
    ("text", "rate"),
    [("30/minute", Rate(30, 60)), (" 5 / second", Rate(5, 1)), ("1/hour", Rate(1, 3600)), ("off", None)],
)
def test_a_rate_is_a_number_and_a_time(monkeypatch, text, rate):
    monkeypatch.setenv("TENSORGRADE_RATE_LIMIT", text)
    assert read_settings().rate_limit == rate


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("RATE_LIMIT", "fast", 'write a rate such as "30/minute"'),
        ("RATE_LIMIT", "0/minute", "write a rate"),
        ("TRUSTED_PROXIES", "localhost", "name addresses or networks"),
        ("USER_HEADER", "two words", "no name of a header"),
        ("USER_HEADER", "X-Remote-User", "TENSORGRADE_TRUSTED_PROXIES"),
        ("RETENTION_DAYS", "0", "greater than or equal to 1"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_in_words(monkeypatch, name, value, words):
    monkeypatch.setenv(f"TENSORGRADE_{name}", value)
    with pytest.raises(SettingsError, match=words) as refused:
        read_settings()
    assert f"TENSORGRADE_{name}" in str(refused.value)
