"""Where a street, a number or a lot lies in a bundle, found by what people write of it."""
