"""Command text to effects and queries: parse, words, unwrap, infer."""
