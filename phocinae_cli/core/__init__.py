"""The words that every part shares: verdict, effects, request, questions, reasons, settings."""
