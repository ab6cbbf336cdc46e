"""What an explainer says about itself and its work."""

from counterflownet import (
    CounterFlowNet,
)


def test_progress_is_shown_when_asked_for_and_silent_in_a_pipe(explainer, rejected, capfd) -> None:
    explainer.explain(rejected, chunk_rows=2)
    assert capfd.readouterr() == ("", "")
    explainer.explain(rejected, chunk_rows=2, progress=True)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "explaining" in captured.err


def test_an_explainer_says_what_it_is(explainer, pipeline) -> None:
    assert "9 columns" in repr(explainer)
    assert "20 steps" in repr(explainer)
    assert "not fitted" in repr(CounterFlowNet(pipeline))
