"""How the tables of older releases become those of `app.store.schema`. Trusted side; run by `app.store.database`."""
