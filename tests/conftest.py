"""Settings of the whole test run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Machines differ in speed; a slow example is no failure. Timing is the benchmarks' business.
settings.register_profile(
    "tfmem", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("tfmem")
