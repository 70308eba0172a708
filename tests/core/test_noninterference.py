"""G7: what a session sees is a function of what was done at or below its taint, and of nothing else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.histories import Act, Player, histories, observe
from tests.support import fresh_store, session_at, viewer_at
from tfmem_tui.core.level import Level

BELOW_TOP = st.sampled_from((Level.PUBLIC, Level.INTERNAL, Level.CONFIDENTIAL))


@given(histories, BELOW_TOP)
@settings(max_examples=120, deadline=None)
def test_g7_a_viewer_sees_byte_for_byte_the_same_when_all_acts_above_it_are_left_out(
    history: list[Act], taint: Level
) -> None:
    whole, below = Player().play(history), Player(ceiling=taint).play(history)
    assert observe(whole.store, taint) == observe(below.store, taint)


@given(histories, BELOW_TOP)
@settings(max_examples=60, deadline=None)
def test_g7_every_answer_given_at_or_below_a_taint_is_the_same_without_the_acts_above(
    history: list[Act], taint: Level
) -> None:
    whole, below = Player().play(history), Player(ceiling=taint).play(history)
    assert [one for one in whole.answers if one[0] <= taint] == below.answers


def test_g7_a_public_search_is_unchanged_by_restricted_memories() -> None:
    quiet, loud = fresh_store(), fresh_store()
    for store in (quiet, loud):
        public = session_at(store, Level.PUBLIC)
        for number in range(12):
            public.save(f"note-{number}", "the harbor is closed " + "and quiet " * number)
        public.save("one", "harbor violet")
    restricted = session_at(loud, Level.RESTRICTED)
    for number in range(40):
        restricted.save(f"secret-{number}", "violet harbor")
    for words in ("harbor", "violet harbor", "closed"):
        left, right = viewer_at(quiet, Level.PUBLIC).find(words), viewer_at(loud, Level.PUBLIC).find(words)
        assert (left.places, left.scores) == (right.places, right.scores)


def test_g7_a_public_save_answers_and_records_the_same_below_a_higher_version() -> None:
    quiet, loud = fresh_store(), fresh_store()
    session_at(loud, Level.RESTRICTED).save("plan", "the real one")
    for store in (quiet, loud):
        public = session_at(store, Level.PUBLIC)
        public.save("plan", "a cover story")
        public.delete("plan")
    assert observe(quiet, Level.PUBLIC) == observe(loud, Level.PUBLIC)
