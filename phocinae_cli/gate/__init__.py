"""Which reason wins: the user's rules, then the stages in their order."""
