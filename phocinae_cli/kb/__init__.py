"""What commands do: the knowledge base, its schema, its compiler and its look-up."""
