"""What commands do: authored as TOML, compiled when the package is built, looked up at run time."""
