"""Who answers a Question: the embedded engine or a decision service."""
