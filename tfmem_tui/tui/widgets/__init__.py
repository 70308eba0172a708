"""Parts that several views are made of. They show values; they never ask the core."""
