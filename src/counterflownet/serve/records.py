"""What is asked and answered, as JSON: the words are those of the library's own JSON (``Explanation.to_dict``)."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

Whole = Annotated[StrictInt, Field(ge=-(2**53), le=2**53)]
Cell = StrictBool | Whole | StrictFloat | StrictStr | None
Row = dict[str, Cell]
Label = Whole | StrictFloat | StrictStr | StrictBool
Rule = dict[str, Any]
Target = Label | dict[str, Any]
Language = Literal["en", "de"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _all_text_can_be_written(cls, data: Any) -> Any:
        """The data, or an error: JSON can tell halves of characters, which nothing after us could write down."""
        try:
            json.dumps(data, ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError as error:
            raise ValueError("text holds half a character (a lone surrogate)") from error
        return data


class Predict(_Record):
    """Rows to predict."""

    rows: list[Row] = Field(min_length=1)


class Wishes(_Record):
    """What every question may say: the class wanted, what must hold, and what is preferred.

    A constraint is a record as in the files of ``write_rules``: ``{"immutable": ["sex"]}``, ``{"range": "amount",
    "low": 500}``, ``{"if": "education rises", "then": "age rises by 2"}``. A target is a class, ``{"any_of": [...]}``
    or ``{"not": [...]}``; of a regressor ``{"at_least": 5}``, ``{"at_most": 5}``, ``{"between": [4, 6]}``, ``{"by":
    1}`` or ``{"by_percent": 10}``.
    """

    target: Target | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    constraints: list[Rule] = Field(default_factory=list, max_length=200)
    weights: dict[str, float] | None = None
    costs: dict[str, float] | None = None
    seed: Whole | None = None


class Explain(Wishes):
    """Rows to explain; ``labels`` name them in the answer (numbers from 0 otherwise)."""

    rows: list[Row] = Field(min_length=1)
    labels: list[Label] | None = None
    count: int = Field(default=5, ge=1)
    diversity: float = Field(default=0.3, ge=0, le=1)
    samples: int = Field(default=30, ge=1)
    rounds: int = Field(default=4, ge=1)


class Loosen(Explain):
    """A row for which nothing was found."""


class Sample(_Record):
    """Rows to draw samples for, in proportion to the reward."""

    rows: list[Row] = Field(min_length=1)
    labels: list[Label] | None = None
    target: Target | None = None
    constraints: list[Rule] = Field(default_factory=list, max_length=200)
    weights: dict[str, float] | None = None
    costs: dict[str, float] | None = None
    seed: Whole | None = None
    samples: int = Field(default=10, ge=1)


class Score(Wishes):
    """Rows of anybody's making, judged as answers to the factuals beside them."""

    factuals: list[Row] = Field(min_length=1)
    counterfactuals: list[Row] = Field(min_length=1)


class Letter(Explain):
    """One row, for which a letter is written; ``texts`` replaces sentences of the letter by its own."""

    format: Literal["html", "pdf"] = "html"
    language: Language = "en"
    texts: dict[str, str] = Field(default_factory=dict, max_length=100)
    answers: list[Row] | None = Field(default=None, max_length=3)


class Prediction(BaseModel):
    """The class of a row, and the probability of every class; of a regressor its number, and no probabilities."""

    predicted: Any
    probabilities: list[float]


class Predictions(BaseModel):
    """One prediction for each row; ``classes`` says in which order probabilities stand."""

    classes: list[Any]
    rows: list[Prediction]


class Answer(BaseModel):
    """A counterfactual: the row itself, what it changes, what follows from rules, and how it is judged."""

    values: dict[str, Any]
    rank: int
    strategy: int
    valid: bool
    probability: float = Field(description="of what was asked for; a regressor has a prediction in its place")
    reward: float
    terms: dict[str, float]
    changed: list[Any]
    follows: list[Any]


class RowAnswers(BaseModel):
    """A factual with its counterfactuals, and the reason if there are fewer than were asked for."""

    factual: Any
    values: dict[str, Any]
    predicted: Any
    target: Any
    probability_before: float | None
    outcome: str
    reason: str
    counterfactuals: list[Answer]


class Oddities(BaseModel):
    """How many answers break what all training rows keep, and which rules these are."""

    count: int
    by_rule: dict[str, int]


class Answers(BaseModel):
    """The counterfactuals of every row."""

    asked: int
    confidence: float | None
    oddities: Oddities
    note: str
    rows: list[RowAnswers]


class Judged(BaseModel):
    """How one row is judged as an answer; ``broken`` lists the positions of the constraints that it breaks."""

    valid: bool
    probability: float
    predicted: Any
    reward: float
    terms: dict[str, float]
    changed: list[Any]
    broken: list[int]


class Scores(BaseModel):
    """One judgement for each counterfactual."""

    rows: list[Judged]


class Loosened(BaseModel):
    """What becomes possible without one of the constraints; ``constraint`` is its position, ``values`` the best."""

    constraint: int
    found: int
    changed: list[Any]
    values: dict[str, Any]
    probability: float = Field(description="of what was asked for; a regressor has a prediction in its place")


class Surest(BaseModel):
    """What is possible under all constraints at a lower ``confidence``, the highest of the page's steps (null: any)."""

    confidence: float | None
    found: int
    changed: list[Any]
    values: dict[str, Any]
    probability: float


class Loosening(BaseModel):
    """The constraints that stand in the way: without any one of these there is an answer.

    If there is none, ``without_all`` tells how many answers there are without any constraint.
    """

    ways: list[Loosened]
    without_all: int
    surest: Surest | None


class Failure(BaseModel):
    """What was wrong with a request, in a sentence."""

    error: str
