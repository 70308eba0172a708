"""The views and dialogs. Each view owns one frozen state and asks the gateway for what it shows."""
