"""What-if: scenario files, and the runner that plays them through the very gate that agents meet."""
