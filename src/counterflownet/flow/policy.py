"""The two-stage forward policy (paper, eqs. index_policy and value_policy): which feature or STOP, then which code."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from counterflownet._space import CodeSpace
from counterflownet._states import States
from counterflownet.flow.code_table import CodeTable
from counterflownet.flow.context import Context, Questions
from counterflownet.flow.interval_code import SIZE, IntervalCode
from counterflownet.flow.known import Known, KnownCodes
from counterflownet.flow.masking import masked_log_softmax
from counterflownet.flow.preference_code import Lean, Leaning

Hidden = Float[Tensor, "state width"]
Each = Int[Tensor, " batch"]
Codes = Bool[Tensor, "row code"]
Padded = tuple[Float[Tensor, "batch widest"], Bool[Tensor, "batch widest"]]

# One product for the codes of all features costs less than one for each feature, if there are few codes or few rows.
FEW_CODES = 192
FEW_LOGITS = 100_000


class Policy(nn.Module):
    """Two hidden layers over context plus edits, one head per decision, and one for the flow onward.

    The first layer is a sum, ``context + sum of edits``, so an edit is one addition (:meth:`edit_rows`) and the layer
    is never recomputed along a trajectory.
    """

    starts: Tensor  # where each feature's codes begin
    offsets: Tensor  # the places of the widest feature's codes
    within: Tensor  # which of these places each feature has

    def __init__(self, space: CodeSpace, context: Context, width: int, *, stop_bias: float = 0.0) -> None:
        super().__init__()
        self.space = space
        self.context = context
        self.register_buffer("starts", torch.tensor(space.starts[:-1]), persistent=False)
        self.register_buffer("offsets", torch.arange(max(space.code_counts)), persistent=False)
        self.register_buffer("within", self.offsets < torch.tensor(space.code_counts)[:, None], persistent=False)
        self.edits = CodeTable(space, width, scale=(space.feature_count + 1) ** -0.5)
        self.trunk = nn.Linear(width, width)
        self.action_head = nn.Linear(width, space.feature_count + 1)
        self.flow_head = nn.Linear(width, 1)
        self.code_head = CodeTable(space, width, scale=0.1 * width**-0.5)  # begins near uniform
        self.code_bias = nn.Parameter(torch.zeros(space.code_total))
        self.lean = None if context.code is None else Lean(context.code.size, width, space.feature_count + 1)
        intervals = isinstance(context.targets, IntervalCode)
        self.lean_to_interval = Lean(SIZE, width, space.feature_count + 1) if intervals else None
        self._initialise(stop_bias)

    def _initialise(self, stop_bias: float) -> None:
        nn.init.kaiming_normal_(self.trunk.weight, nonlinearity="relu")
        nn.init.normal_(self.action_head.weight, std=0.1 * self.action_head.in_features**-0.5)
        for zero in (self.action_head.bias, self.flow_head.weight, self.flow_head.bias):
            nn.init.zeros_(zero)
        with torch.no_grad():
            self.action_head.bias[self.stop] = stop_bias

    @property
    def device(self) -> torch.device:
        return self.code_bias.device

    @property
    def informed(self) -> bool:
        """Whether the flow adds what is known of edits to what it learns: if it learns preferences."""
        return self.context.code is not None and self.context.code.informed

    @property
    def stop(self) -> int:
        """The number of the STOP action, which comes after all features."""
        return self.space.feature_count

    def tables(self) -> "Tables":
        """The rows of all codes, computed once for many steps."""
        return Tables(self.edits.weight, self.code_head.weight)

    def asked(self, questions: Questions) -> "Asked":
        """All that the policy makes of questions before it looks at a state."""
        wish = self.context.wish(questions)
        return Asked(self.context(questions, wish), self._leaning(questions, wish), self._known(questions))

    def _leaning(self, questions: Questions, wish: Float[Tensor, "row number"] | None) -> Leaning | None:
        """What preferences and intervals do beyond the first layer; None if there are none but the standard."""
        towards = self._leaning_to_interval(questions)
        if self.lean is None or wish is None:
            return towards
        wished = self.lean(wish)
        return wished if towards is None else wished.and_also(towards)

    def _known(self, questions: Questions) -> Known | None:
        """What is known of edits before anyone is asked; None if the flow was not trained with it."""
        if self.context.code is None or questions.reach is None or not self.informed:
            return None
        preferences = self.context.code.standard if questions.preferences is None else questions.preferences
        return Known.of(self.space, questions.reach, preferences, questions.allowed.codes)

    def _leaning_to_interval(self, questions: Questions) -> Leaning | None:
        if self.lean_to_interval is None or not isinstance(self.context.targets, IntervalCode):
            return None
        return self.lean_to_interval(self.context.targets.code(questions.target))

    def hidden(self, first: Hidden, leaning: Leaning | None = None) -> Hidden:
        """The last hidden layer, from the sum that is the first; ``leaning`` is that of each state."""
        hidden = self.trunk(functional.relu(first)).relu_()  # in place: nobody needs the product itself again
        return hidden if leaning is None else hidden * leaning.gates

    def action_logits(
        self, hidden: Hidden, leaning: Leaning | None = None, known: Float[Tensor, "state action"] | None = None
    ) -> Float[Tensor, "state action"]:
        logits = self.action_head(hidden)
        logits = logits if leaning is None else logits + leaning.actions
        return logits if known is None else logits + known

    def log_onward(self, hidden: Hidden) -> Float[Tensor, " state"]:
        """The logarithm of the flow that goes on from each state; learned by the stateflow objective alone."""
        return self.flow_head(hidden).squeeze(1)

    def edit_rows(self, tables: "Tables", feature: Each, code: Each) -> Float[Tensor, "batch width"]:
        """What each edit adds to the first layer."""
        return functional.embedding(self.starts[feature] + code, tables.edits)

    def first(self, tables: "Tables", context: Float[Tensor, "row width"], states: States) -> Hidden:
        """The first layer of any states: their context plus all their edits."""
        state, feature = states.edited.nonzero(as_tuple=True)
        counts = torch.bincount(state, minlength=len(states))
        edits = self.starts[feature] + states.codes[state, feature]
        added = functional.embedding_bag(edits, tables.edits, counts.cumsum(0) - counts, mode="sum")
        return context.index_select(0, states.row) + added

    def code_logits(self, tables: "Tables", hidden: Hidden, feature: int) -> Float[Tensor, "state code"]:
        """Logits over the codes of one feature; the other features' heads are never computed."""
        span = self.space.span(feature)
        return functional.linear(hidden, tables.codes[span], self.code_bias[span])

    def code_log_probs(  # noqa: PLR0913, PLR0917 - what is drawn from, then who draws
        self,
        tables: "Tables",
        hidden: Hidden,
        feature: Each,
        allowed_codes: Codes,
        row: Each,
        state: Each,
        known: KnownCodes | None = None,
    ) -> Padded:
        """Log-probabilities over the codes of each row's own feature, and which are allowed, padded to the widest.

        ``state`` says which line of ``hidden`` each is in; several may share one.
        """
        if self.space.code_total <= FEW_CODES or self.space.code_total * len(hidden) <= FEW_LOGITS:
            return self._code_log_probs_at_once(tables, hidden, feature, allowed_codes, row, state, known)
        counts = self.space.code_counts
        order = feature.argsort(stable=True)
        groups = feature.bincount(minlength=len(counts)).tolist()
        # Split, not indexed group by group: each index would make a gradient as large as all groups together.
        parts = hidden.index_select(0, state[order]).split(groups)  # type: ignore[no-untyped-call]
        rows = row[order].split(groups)  # type: ignore[no-untyped-call]
        states = state[order].split(groups)  # type: ignore[no-untyped-call]
        heads = zip(tables.codes.split(counts), self.code_bias.split(counts), strict=True)  # type: ignore[no-untyped-call]
        widest = max(count for count, group in zip(counts, groups, strict=True) if group)
        logits, legal = [], []
        for d, (head, bias) in enumerate(heads):
            if groups[d]:
                padding = (0, widest - counts[d])
                span = self.space.span(d)
                found = functional.linear(parts[d], head, bias)
                found = found if known is None else found + known.of_feature(span, states[d])
                logits.append(functional.pad(found, padding))
                codes = allowed_codes[:, span].index_select(0, rows[d])
                legal.append(functional.pad(codes, padding))
        back = order.argsort()
        allowed = torch.cat(legal).index_select(0, back)
        return masked_log_softmax(torch.cat(logits).index_select(0, back), allowed), allowed

    def _code_log_probs_at_once(  # noqa: PLR0913, PLR0917
        self,
        tables: "Tables",
        hidden: Hidden,
        feature: Each,
        allowed_codes: Codes,
        row: Each,
        state: Each,
        known: KnownCodes | None,
    ) -> Padded:
        """The same by one product for all features, most of which is thrown away."""
        place = (self.starts[feature][:, None] + self.offsets).clamp(max=self.space.code_total - 1)
        every = functional.linear(hidden, tables.codes, self.code_bias)
        logits = every.take(state[:, None] * every.shape[1] + place)
        logits = logits if known is None else logits + known.at(state, place)
        allowed = allowed_codes[row].gather(1, place) & self.within[feature]
        return masked_log_softmax(logits, allowed), allowed


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What questions are to a policy: the first layer without edits, what leans beyond it, what is known of edits.

    ``leaning`` and ``known`` are None if nothing leans and nothing is known.
    """

    context: Float[Tensor, "row width"]
    leaning: Leaning | None
    known: Known | None

    def in_states(self, row: Int[Tensor, " state"], edited: Bool[Tensor, "state feature"]) -> "Influence":
        """What acts beyond the first layer in states of these rows, with so much edited."""
        leaning = None if self.leaning is None else self.leaning[row]
        if self.known is None:
            return Influence(leaning, None, None)
        return Influence(leaning, self.known.actions(row, edited), KnownCodes(self.known.codes, row))


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """What acts beyond the first layer in each of some states: on hidden units, on actions, and on codes."""

    leaning: Leaning | None
    actions: Float[Tensor, "state action"] | None
    codes: KnownCodes | None


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What edits add to the first layer, and the weights that score codes from the last."""

    edits: Float[Tensor, "code width"]
    codes: Float[Tensor, "code width"]
