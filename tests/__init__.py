"""The tests: they mirror the package; a helper beside them is imported as `tests.folder.helper`."""
