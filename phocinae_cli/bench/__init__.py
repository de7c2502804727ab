"""Labelled commands in, measured judgement out: datasets, run, score, report."""
