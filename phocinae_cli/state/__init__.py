"""What is kept between runs: audit log, approvals, and where they live."""
