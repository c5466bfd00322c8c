"""Policy of an analysis: the tuning constants of all techniques, in one frozen object.

    seconds = policy().repair.seconds
    with using(replace(Policy(), repair=RepairPolicy(rounds=5))):
        localize(paths, options)

The values are those that served best on the benchmark programs. None of them changes what is proved: they say how much
is tried, in which portions, and when to go on with something else. Seconds are seconds of effort (``cfrontend.effort``)
unless the text says clock. ``--effort`` multiplies the limits of whole phases, and leaves the values here as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BoundPolicyConstants:
    """Search for the smallest bound that has a failing execution."""

    before_beyond: int = 3
    """The unwinding behind which another kind of failure is looked for, that no bound shows."""
    patience: int = 8
    """How many times as long a loop that needs no solver may go on where nothing else leaves the bound."""
    seconds: float = 20.0
    """Seconds of effort of the search for a bound behind the first one, without a time limit."""
    seconds_of_instruction: float = 0.01
    """Seconds of effort that each instruction of the program adds."""
    deciding_part: float = 0.5
    """Effort for the smallest bound that is not decided yet, as a part of the effort for larger ones since."""
    deciding_seconds: float = 0.1
    """Seconds of effort from which on that part is worth a try; after one in vain it has to be twice as much."""
    last_part: float = 0.75
    """Part of the effort left for the last bound, where none is larger; smaller ones that are open have the rest."""
    seconds_of_properties: float = 3.0
    """Seconds of effort for questions about single properties, where that about all of them took the effort."""
    part_beside_tests: float = 0.3
    """Part of the effort of the search for a bound where a given test fails already."""
    nontermination_seconds: float = 3.0
    """Seconds of encoding where an execution is looked for that does not end, if not more was taken before."""
    text_effort: float = 0.25
    """Most effort for executions that do not terminate on text, after those on values."""
    activations: int = 1_000
    """Activations of a function below one another within which one execution is followed to its end."""
    near: int = 2
    """How much further than the search for a bound has come executions that were tried may go to end it."""
    searched: float = 0.6
    """Part of the time left for the failing executions, then for the passing ones, where a full ranking follows."""
    wider: tuple[int, ...] = (1, 2, 4, 8)
    """How much larger the bounds are in which a passing execution is looked for, where there is none."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NonterminationPolicyConstants:
    """Search for executions that never end."""

    rounds: int = 20_000
    """Iterations of a loop after which an execution counts as non-terminating."""
    reading_rounds: int = 1_000
    """Iterations after which an execution that reads in each of them counts as non-terminating."""
    activations: int = 1_000
    """Nested activations of one function after which an execution counts as non-terminating."""
    bounds: tuple[tuple[int, int], ...] = ((2, 1), (4, 4), (4, 12))
    """How far the reference is followed, and how much further the program behind it, until one is found."""

    def rounds_before(self, *, reads_text: bool) -> int:
        """Iterations until an execution counts as non-terminating; ``reads_text``: each may read a text."""
        return self.reading_rounds if reads_text else self.rounds


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzingPolicyConstants:
    """Fuzzing: executions on drawn and mutated inputs."""

    rounds: int = 2_000
    """Iterations of one loop after which a fuzzed execution is given up."""
    native_work: int = 1_500
    """Native executions of the usual length for each second of effort of the interpreter."""
    native_work_in_function: int = 3_000
    """Native executions for each second of effort where one function alone is executed: they are short."""
    own_part: float = 0.3
    """Part of a round in which the interpreter draws inputs of its own while native fuzzing finds more."""
    own_part_in_function: float = 0.1
    """Part of a round in which the interpreter draws inputs for one function alone: many inputs take it long."""
    closer_part: float = 0.2
    """Part of a round in which the interpreter executes what passes natively and went where nothing had gone."""
    execution_seconds: float = 1.0
    """Seconds after which a fuzzed execution is given up in the interpreter."""
    seconds_beside_native: float = 0.2
    """Seconds after which a fuzzed execution is given up while native fuzzing finds more in the meantime."""
    told_seconds: float = 5.0
    """Seconds after which an execution is given up on inputs on which a native execution failed."""
    most_doubts: int = 20
    """Executions said to fail by native fuzzing that do not fail, after which it is believed no more."""
    most_hints: int = 60
    """Number of inputs on which native executions failed that are passed on."""
    most_others: int = 12
    """Number of failing executions kept beside those with different coverage."""
    most_inputs: int = 400
    """Number of inputs after which a fuzzed execution is given up."""
    text_length: int = 40
    """Number of characters after which a drawn text comes to its end."""
    tries: int = 30
    """Number of times that an input is drawn anew which is known to break an assumption."""
    kept_part: float = 0.5
    """Part of the executions whose inputs are mutations of inputs that led to new coverage."""
    cut_part: float = 0.3
    """Part of these mutations that keep a prefix of the inputs only."""
    shorter_part: float = 0.7
    """Part of the executions, once one fails, that leave out some inputs of a failing one (input minimisation)."""
    more_time: float = 0.5
    """Effort for further failing executions, as a part of the effort up to the first one."""
    least_seconds: float = 0.5
    """Seconds for further failing executions behind the first one, at least."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PortfolioPolicyConstants:
    """Fuzzing beside the search of the solver, whichever is first."""

    fuzz_after: float = 1.0
    """Seconds of the search for a bound after which a second process begins fuzzing beside it."""
    large: int = 2_000
    """Number of instructions from which on fuzzing begins at once beside the search."""
    round: float = 1.0
    """Seconds of one round of fuzzing, and of the search between two looks at what the rounds found."""
    ahead: int = 2
    """Rounds of fuzzing that may be done before the search has come to them, where there are several processes."""
    seeded: float = 5.0
    """Seconds that encoding a bound may take at least when fuzzing knows executions that fail within it."""
    content_after: float = 6.0
    """Seconds of the search for a bound after which the failing executions of the fuzzer are answer enough."""
    least_searched: float = 5.0
    """Seconds of the search beside the fuzzer before that, at least."""
    content_part: float = 0.4
    """Part of the time (clock) up to a time limit after which they are answer enough, if that is less."""
    at_last: float = 3.0
    """Seconds of fuzzing at the end where the search has found no failing execution."""
    instead: float = 60.0
    """Seconds of fuzzing where the search cannot go on, as something in longer executions is not supported."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsPolicyConstants:
    """Questions to an oracle for one execution, and models made small."""

    share: float = 0.5
    """Part of the time left that one question may take when others can follow."""
    small_share: float = 0.125
    """Part of the time left for a question about a single unit, or some of many ends, of which there are others."""
    leaner_effort: int = 200
    """Conflicts that it may cost to find a model which covers still less."""
    little_effort: int = 2_400
    """Conflicts that it may cost to say whether anything passes."""
    leaner_tries: int = 12
    """How often a model is asked to cover still less."""
    large: int = 10_000
    """Terms of an execution from which on a few ends are asked about at a time: below, all together are faster."""
    simplify_limit: int = 20_000
    """Largest number of terms that are evaluated a second time for inputs that are easier to read."""
    simpler_work: int = 300_000
    """Terms that are evaluated for inputs of a failing execution that are easier still."""
    most_excluded: int = 50
    """Executions that only seem to print something else, after which nothing is known."""
    most_guards: int = 4_000
    """Path conditions of a formula by which passing executions are told apart, at most; more are not looked at."""
    most_missed: int = 4
    """Hard questions in a row for which small numbers were tried in vain, after which none are tried."""
    easy: int = 99
    """Numbers up to this are easy to read."""
    numbers: tuple[int, ...] = (0, 1, -1, 2, 10, -10, 100, -100, 1000, -1000)
    """Numbers that are tried in the place of an input."""
    few: int = 2
    """Number of such numbers that are tried in the place of several inputs at once."""
    first_effort: int = 300
    """Conflicts that a question about several ends may cost before it is split."""
    proof_effort: int = 500_000
    """Conflicts that a question about a single end may cost before it counts as undecided."""
    more_effort: int = 8
    """How much more may be spent in each round on what is still open."""
    together: int = 8
    """Ends that are asked about together in a large program."""
    products: int = 20_000
    """Gates of products that several ends may need to be asked about together at first."""
    most_groups: int = 256
    """Groups of ends; where there would be more, groups are larger."""
    last_share: float = 0.75
    """Part of the time left that a question about the last open end may take."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingPolicyConstants:
    """Solvers: what is tried first, and for how long."""

    first_conflicts: int = 20_000
    """Glucose's first share, in conflicts."""
    first_polls: int = 20_000
    """bitwuzla's first share, in its own unit. Every second share is for a fresh instance with preprocessing."""
    growth: int = 2
    """Factor of the shares from one round to the next."""
    patience: float = 4.0
    """bitwuzla's share also ends after so many times the effort that glucose took for its own, if that is much."""
    narrowed: int = 8_000
    """Effort of a term that narrowing makes."""
    abstract_conflicts: tuple[int, int] = (5_000, 50_000)
    """Conflicts of a question without the circuits of hard functions: of a small one, and at most."""
    refinements: int = 12
    """Rounds in which abstract functions get values that they have on the inputs of a model."""
    most_waiting: int = 6
    """Abstract terms that gave no answer n times in a row are left out of the next 2^n questions, n at most this."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GuessingPolicyConstants:
    """Guessed models, evaluated before a solver is asked."""

    most_tries: int = 48
    """Assignments that are tried."""
    least_tries: int = 6
    """Assignments that are tried of however large a question."""
    most_terms: int = 60_000
    """Terms that are evaluated for one question."""
    most_constants: int = 10
    """Constants of the question that all words are given, one after the other."""
    sampled_terms: int = 500_000
    """Terms that are evaluated for one hard question."""
    most_samples: int = 500
    """Assignments drawn for a hard question: of what one in a hundred does, they hardly miss any."""
    small: tuple[int, ...] = (3, 10, 30)
    """Largest numbers that are drawn for a hard question."""
    few_terms: int = 2_000
    """Terms of a hard question up to which one assignment is evaluated after the other; of more, many at once."""
    drawn: int = 256
    """Assignments that are evaluated at once."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachablePolicyConstants:
    """Proofs that code is reached by no execution."""

    questions: int = 100
    """Maximum number of questions to the solver."""
    open_answers: int = 4
    """Questions without an answer after which no further one is asked."""
    effort: int = 2_400
    """Conflicts that one question may cost."""
    share: float = 0.25
    """Part of the time left that one question may take."""
    goal_effort: int = 20_000
    """Conflicts that a question about coverage goals of a suite may cost."""
    goal_bounds: tuple[int, ...] = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
    """Unwindings within which executions that reach them are looked for, one after the other."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SuitesPolicyConstants:
    """Generated suites: executions that reach what the goal names."""

    failing: float = 0.5
    """Part of the time limit for failing executions; the rest is for those that reach the goal."""
    reaching: float = 0.8
    """Part of the time left for looking for these; the rest is for executing them and choosing the fewest."""
    mutant_seconds: float = 90.0
    """For asking the solver about mutants that no known execution kills."""
    mutant_least: float = 1.0
    """For one of them, however many are left."""
    mutant_effort: int = 400_000
    """Conflicts that a question about a mutant may cost where no larger bound has more executions."""
    mutants_together: int = 16
    """Mutants that share a solver, which knows the program then and the mutants before."""
    mutant_rounds: int = 200
    """Iterations of a loop of a mutant, after which it is taken for one that does not end, ..."""
    mutant_times: int = 10
    """... beside so many times those of the program."""
    endless_on: int = 4
    """Executions in which a mutant that reads on without end is left undecided."""
    growth: float = 1.5
    """Growth limit: the size of an updated suite as a multiple of the fewest tests, so as to keep those that it had."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionsPolicyConstants:
    """Concrete executions of the interpreter on given inputs."""

    iterations: int = 10_000_000
    """A loop on the inputs of an execution that is known to end has ended before so many."""
    iterations_beside_reference: int = 100_000
    """Iterations after which a loop is taken not to terminate where its reference has ended: a failure."""
    iterations_on_text: int = 4_000
    """The same where the program reads a text, character by character; ten for each character where it is long."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TracesPolicyConstants:
    """Recorded steps of executions."""

    steps: int = 2000
    """Steps that a trace keeps: the last ones."""
    ordered: int = 5
    """Executions that say how late units are evaluated."""
    order_seconds: float = 0.5
    """Seconds of effort that tracing one execution may take for that."""
    slice_weight: float = 0.25
    """Part of an execution by which a unit outside of its dynamic slice counts as evaluated earlier than it is."""
    iterations: int = 1_000_000
    """Iterations of a loop from which on an execution is not traced."""
    endless_iterations: int = 100
    """Iterations of a loop that does not end, of which a trace shows the last steps."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTestsPolicyConstants:
    """Localisation from given tests alone."""

    seconds_of_short: float = 10.0
    """Seconds that a short example may take: longer ones are executed only where no short one fails."""
    seconds_of_long: float = 300.0
    """Seconds that all longer ones may take."""
    iterations: int = 100_000
    """Iterations of a loop after which an execution counts as non-terminating."""
    executions: int = 4
    """Failing examples that the angelic filter looks at."""
    angelic_seconds: float = 5.0
    """Seconds that the angelic filter may take."""
    repair_seconds: float = 10.0
    """Seconds that the search for plausible patches may take."""
    partial_edits: int = 500
    """Edits that are tried where none mends all examples, the likeliest first."""
    partial_alone: int = 40
    """As many of these at most are read alone, which takes ten times as long, and as many do some good natively."""
    partial_examples: int = 4
    """Failing examples of which one has to print more that is right after such an edit."""
    further_edits: int = 3
    """Edits that are looked for behind a partial one, each in the program that those before it make."""
    proof_effort: float = 0.3
    """Effort of the proof that an edited program prints what its reference does."""
    reference_examples: int = 8
    """Texts that are drawn beside a reference, which says what is to be printed for them."""
    reference_rounds: int = 5
    """Rounds of edits in a row beside a reference, each with one more execution in which the edited program differs."""
    codes: tuple[int, int] = (8, 3)
    """Letters that stand alone in examples are the only ones that may: so many at most, each so often on average."""
    records: int = 8
    """Records with one command that say what the numbers behind it are like."""
    command_seconds: float = 300.0
    """Seconds that a test command may take, with what it builds."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzedExamplesPolicyConstants:
    """Texts like the examples, beside a reference."""

    texts: int = 1000
    """Texts that are made and executed natively."""
    further: int = 40
    """Texts that become further examples, where some examples fail."""
    seconds: float = 4.0
    """Seconds that the interpreter may take for these."""
    execution_seconds: float = 0.1
    """Seconds that it may take for one of them: on longer ones no edits can be executed."""
    comparison_effort: float = 0.3
    """Effort of the comparison on all inputs where examples fail that no edit mends."""
    looked_at: int = 200
    """Texts that tell program and reference apart, and are held against the domain, where no example fails."""
    tried: int = 5
    """Those of the domain that the interpreter executes then."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementPolicyConstants:
    """Full ranking: what the angelic filter, repairs and diagnoses work on, and how long."""

    extra_failing: int = 3
    """Failing executions beyond Algorithm 1 that the angelic filter looks at."""
    passing_for_repairs: int = 12
    """Number of passing executions with different coverage that a plausible patch has to keep."""
    given_passing: int = 6
    """Number of passing executions of existing tests from which on no others are looked for."""
    other_passing: int = 6
    """Number of further passing executions, with other inputs, that patches are compared on."""
    neighbours_of: int = 2
    """Failing executions beside a reference near which passing ones are tried."""
    neighbours_in: int = 3
    """Inputs of each that are one more, and one less, in turns: the last ones."""
    least_seconds: float = 2.0
    """Seconds that the angelic filter and the search for repairs may always take together."""
    most_times: float = 5.0
    """Seconds of filter and repairs, as a multiple of those of the search for executions, up to ``plenty``."""
    plenty: float = 3.0
    """Most seconds of filter and repairs, however long the search for executions took."""
    plenty_for_a_unit: float = 0.035
    """Seconds for each unit that failing executions evaluate: their sum replaces ``plenty`` if larger."""
    most_plenty: float = 15.0
    """Largest such sum: a large program takes longer for each question, and hardly more questions are of use."""
    patient_times: float = 8.0
    """Seconds of effort of filter and repairs where a user asks for repairs, as a multiple of ``plenty``."""
    angelic_part: float = 0.5
    """Part of the seconds of filter and repairs that the angelic filter may take; the repairs have the rest."""
    more_failing: int = 5
    """Number of failing executions with other inputs that minimal diagnoses have to explain, too."""
    most_refuting: int = 8
    """Number of failing executions that refuted a patch and that minimal diagnoses have to explain."""
    execution_seconds: float = 2.0
    """Seconds that one concrete execution by the interpreter may take."""
    besides_seconds: float = 5.0
    """Seconds, at least, for properties that nobody asked about and that executions violate besides."""
    causes_part: float = 0.4
    """Seconds for failing executions with other causes, as a part of those for minimal diagnoses."""
    joint_part: float = 1.5
    """Seconds for edits of two units together, as a multiple of the seconds for minimal diagnoses."""
    sets_seconds: float = 2.0
    """Seconds for minimal diagnoses, at least, where no unit alone saves all failing executions."""
    sets_plenty: float = 10.0
    """Seconds for minimal diagnoses, at most, however long the search for executions took."""
    thorough_seconds: float = 10.0
    """Seconds for minimal diagnoses, at least, where repairs are asked for."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AngelicPolicyConstants:
    """Angelic filter: which units could save a failing execution by other values."""

    effort: int = 20_000
    """Conflicts that the angelic question about one unit and one failing execution may cost."""
    seconds: float = 0.5
    """Seconds that encoding one unit and one failing execution may take, and as many for the solver."""
    first_seconds: float = 0.1
    """Seconds for one unit and one failing execution while other units have not been asked about yet."""
    more_bounds: int = 2
    """Larger bounds that are tried, each twice as large as the one before."""
    more_seconds: float = 0.3
    """Seconds that the larger bounds may take together."""
    more_rounds: int = 10
    """Iterations that a loop whose test folds may take beyond twice those of any execution within the bound."""
    most_rounds: int = 1_000
    """Iterations for which there is room because the failing execution itself makes so many."""
    parts: int = 2
    """Parts of the questions about one execution, whatever the number of processes."""
    worth_parts: float = 0.3
    """Seconds that the questions left take, if they take as long as those before, from which on they are in parts."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPolicyConstants:
    """Search for plausible patches of one unit."""

    explaining_part: float = 1 / 3
    """Part of the passing executions that a patch keeps on their way if what it edits may be all that is wrong."""
    most_edits: int = 1_000
    """Edits that are tried, the likeliest ones: of the human fixes that are any edit, 95 of 100 are among them."""
    at_once: int = 32
    """Trials behind which what does well is proved."""
    rounds: int = 20
    """Constants that are tried in one place."""
    usual: tuple[int, ...] = (0, 1, -1)
    """What variables begin with: tried as it is, which is cheaper than to look for any constant."""
    most_for_a_unit: int = 5
    """Repairs that are looked for at one unit; large ones only where there is no small one."""
    part_before_proofs: float = 0.5
    """Part of the effort after which plausible edits are proved, if not all units had their turn in a round by then."""
    asked_whether_hollow: int = 4
    """Verified edits of which it is asked whether code is dead after them, the best ones."""
    numbers_of_reference: int = 8
    """Constants of the reference that may be meant in the place of those of the program, the first ones in its text."""
    parts: int = 4
    """Plausible patches that are proved at once, whatever the number of processes, none knowing of another one."""
    likely_constants: int = 3
    """Constants of one place that are tried because native executions do well with them."""
    surest: int = 24
    """Edits that natively do well which are validated in any case."""
    seconds_of_surest: float = 1.0
    """Seconds of effort for one of these, where the others had it all."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationPolicyConstants:
    """Inputs near the known ones on which native executions try edits that do well with these."""

    drawn: int = 1_000
    """Inputs that are drawn, and executed without an edit."""
    rounds: int = 2
    """Rounds in which they are drawn: a later one knows what was good in an earlier one."""
    part: float = 0.1
    """Part of the native executions that are worth their effort which they may be at most."""
    failing: int = 24
    """Failing inputs of the population, without an edit, on which edits are tried."""
    passing: int = 24
    """Passing inputs of the population, without an edit, on which edits are tried."""
    most_changed: int = 16
    """Inputs of an execution that are changed at once, at most."""
    values_of_a_place: int = 200
    """Good values that are kept of the inputs that are read in one place."""
    more_inputs: int = 4
    """Inputs behind the known ones, where executions read more."""
    confirmed: int = 8
    """Inputs that refute the most edits, on which the interpreter executes the program, too."""
    confirming_seconds: float = 1.0
    """Seconds of effort of the interpreter for the inputs that refute edits."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPolicyConstants:
    """Patch validation: executions and proofs of one candidate."""

    lost_seconds: float = 60.0
    """Seconds after which a compiler or a compiled program that rejects candidates is taken to be lost."""
    seconds_as_if_interpreted: float = 2_500.0
    """Seconds that the interpreter would take for as many executions as a compiled program tries edits on."""
    executions_of_a_question: int = 6
    """Executions that one edit is tried on, in the mean: most fail with the first one."""
    questions_of_a_part: int = 1_000
    """Questions that a compiled program is asked at once, between two looks at what its executions have cost."""
    times_as_late: int = 20
    """Executions that one which does not end takes the time of."""
    most_constants: int = 60
    """Constants that a compiled program tries in one hole, besides those near what stood there."""
    constants_of_a_round: int = 10
    """Constants that it tries in one hole before it looks whether enough of them do well."""
    worth_compiling: int = 60
    """Candidates from which on a compiled program rejects what fails before the interpreter tries it."""
    most_cloned: int = 300_000
    """Characters of functions that a compiled program holds once more for edits that are no expressions."""
    execution_seconds: float = 2.0
    """Seconds that one candidate may take on one input vector."""
    least_compared: int = 4
    """Passing, and failing, executions that candidates are held against in any case, those with the fewest inputs."""
    inputs_compared: int = 120
    """Inputs that the further ones have together with these."""
    more_rounds: int = 100
    """Iterations that a loop may take in an edited program beyond four times those within the bound, or of any test."""
    near: int = 4
    """How far from what stood there a constant is looked for first."""
    filling_seconds: float = 2.0
    """Seconds that the search for one constant may take."""
    filling_unwind: int = 8
    """Iterations of a loop that depends on the constant, at least; up to twice as many where loops have so many."""
    filling_limit: int = 1000
    """Iterations of a loop that does not depend on the constant."""
    proof_seconds: float = 10.0
    """Seconds that the proof of one candidate may take."""
    search_seconds: float = 1.0
    """Seconds that the search for a failing execution within the larger bound may take."""
    proof_effort: int = 20_000
    """Conflicts that a single question of a proof may cost."""
    beyond: int = 3
    """Passing executions beyond the bound that are looked for where none within it covers what all failing ones do."""
    beyond_seconds: float = 1.0
    """Seconds that the search for them may take."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SchemataPolicyConstants:
    """Mutant schemata: many candidates compiled as one program."""

    first: int = 128
    """Candidates of the first program that holds some together."""
    most: int = 2_048
    """Candidates of the largest one."""
    halvings: int = 6
    """How often the candidates of a program that cannot be read are halved."""
    asides: int = 16
    """How many lines are set aside whose candidates cannot be read."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosesPolicyConstants:
    """Minimal diagnoses: sets of units that explain all failing executions."""

    most_sets: int = 40
    """Sets that are looked for."""
    largest: int = 3
    """Units of the largest sets that are looked for."""
    grid: int = 21
    """Probabilities of a unit that are tried."""
    pairs_at_once: int = 4_096
    """Pairs between two looks at the clock."""
    least: float = 1e-3
    """The least probability, so that nothing is impossible."""
    group_seconds: float = 1.0
    """Seconds for what saves a group of failing executions, and as many for what repairs it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MultiEditPolicyConstants:
    """Edits of two units together."""

    most: int = 20
    """Pairs of units that are looked for."""
    most_tried: int = 1_000
    """Candidates whose pairs a compiled program tries, but for those that programmers seldom slip by."""
    most_seldom: int = 1_000
    """Candidates that programmers seldom slip by, which stand behind the others there."""
    few_passing: int = 2
    """Passing executions up to which edits are accepted that send all of them another way, where no others do well."""
    asked_at_once: int = 20_000
    """Pairs that a compiled program is asked about at once."""
    price: int = 10_000
    """Effort of one native execution with two edits, at least."""
    native_part: float = 0.01
    """Effort of one native execution as a part of that of the interpreter, besides."""
    most_seconds: float = 600.0
    """Seconds after which a compiler or a compiled program is taken to be lost."""
    trying_part: float = 0.5
    """Part of the effort left in which the compiled program tries them."""
    further_failing: int = 8
    """Failing executions on other inputs than the known ones that pairs are tried on as well."""
    further_passing: int = 12
    """Passing ones."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MutantsPolicyConstants:
    """Faulty versions that are made of a correct program."""

    combinations: int = 20
    """Versions with several faults that are tried for each one that is asked for."""

    in_a_row: int = 20
    """Mutants without a failing execution in a row after which no further one is tried, where a number is asked for."""

    faults_for_one: int = 2
    """Mutants with a failing execution for each fault of a version with several, where a number is asked for."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramBatchPolicyConstants:
    """Many programs with one specification: how much of the work on one program is done for each."""

    least_unwind: int = 2
    """Unwinding within which it has to be known that nothing fails; else nothing is said of the program."""
    effort: float = 0.25
    """Effort for each program, as a part of that for one program alone."""
    effort_of_ranking: float = 0.75
    """The same for the full ranking of a program that is known to fail."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The tuning constants of all techniques, by technique."""

    bound: BoundPolicyConstants = BoundPolicyConstants()
    nontermination: NonterminationPolicyConstants = NonterminationPolicyConstants()
    fuzzing: FuzzingPolicyConstants = FuzzingPolicyConstants()
    portfolio: PortfolioPolicyConstants = PortfolioPolicyConstants()
    questions: QuestionsPolicyConstants = QuestionsPolicyConstants()
    solving: SolvingPolicyConstants = SolvingPolicyConstants()
    guessing: GuessingPolicyConstants = GuessingPolicyConstants()
    unreachable: UnreachablePolicyConstants = UnreachablePolicyConstants()
    suites: SuitesPolicyConstants = SuitesPolicyConstants()
    executions: ExecutionsPolicyConstants = ExecutionsPolicyConstants()
    traces: TracesPolicyConstants = TracesPolicyConstants()
    given_tests: GivenTestsPolicyConstants = GivenTestsPolicyConstants()
    fuzzed_examples: FuzzedExamplesPolicyConstants = FuzzedExamplesPolicyConstants()
    refinement: RefinementPolicyConstants = RefinementPolicyConstants()
    angelic: AngelicPolicyConstants = AngelicPolicyConstants()
    repair: RepairPolicyConstants = RepairPolicyConstants()
    validation: ValidationPolicyConstants = ValidationPolicyConstants()
    population: PopulationPolicyConstants = PopulationPolicyConstants()
    schemata: SchemataPolicyConstants = SchemataPolicyConstants()
    multi_edit: MultiEditPolicyConstants = MultiEditPolicyConstants()
    diagnoses: DiagnosesPolicyConstants = DiagnosesPolicyConstants()
    mutants: MutantsPolicyConstants = MutantsPolicyConstants()
    program_batch: ProgramBatchPolicyConstants = ProgramBatchPolicyConstants()


_LARGEST = 1_000_000_000  # the largest value that a constant can be given
_of_this_process = Policy()


def policy() -> Policy:
    """The policy in force: that of the innermost ``using_policy``, else the default one."""
    return _of_this_process


@contextmanager
def using_policy(chosen: Policy) -> Iterator[None]:
    """Have ``chosen`` in force inside, in all threads, and in the processes that are forked there."""
    global _of_this_process  # noqa: PLW0603 - its one owner
    before, _of_this_process = _of_this_process, chosen
    try:
        yield
    finally:
        _of_this_process = before


def policy_with_values(base: Policy, values: Mapping[str, str]) -> Policy:
    """``base`` with other values, by names such as ``fuzzing.rounds``; tuples are numbers with commas between them.

    Raises ``KeyError`` for a name that there is not, ``ValueError`` for a value of another kind.
    """
    for name, text in values.items():
        group, _, constant = name.partition(".")
        part: Any = getattr(base, group, None)
        if part is None or constant not in {field.name for field in dataclasses.fields(part)}:
            raise KeyError(name)
        value = _read(text, getattr(part, constant))
        base = dataclasses.replace(base, **{group: dataclasses.replace(part, **{constant: value})})
    return base


def _read(text: str, like: Any) -> Any:
    """A value of the kind of ``like``."""
    numbers = [_number(part, like if isinstance(like, (int, float)) else 0) for part in text.split(",")]
    if isinstance(like, (int, float)):
        if len(numbers) > 1:
            raise ValueError("it is one number")
        return numbers[0]
    if not isinstance(like[0], tuple):
        return tuple(numbers)
    if len(numbers) % (size := len(like[0])):
        raise ValueError(f"its numbers come {size} by {size}")
    return tuple(zip(*[iter(numbers)] * size, strict=True))


def _number(text: str, like: float) -> float:
    """A number, whole where ``like`` is."""
    try:
        value = type(like)(text)
    except ValueError:
        raise ValueError(f"it is a {'whole ' if isinstance(like, int) else ''}number") from None
    if not abs(value) <= _LARGEST:
        raise ValueError(f"it is at most {_LARGEST:,}")
    return value


def policy_constants(of: Policy) -> dict[str, Any]:
    """All constants of a policy by name."""
    return {
        f"{group.name}.{field.name}": getattr(getattr(of, group.name), field.name)
        for group in dataclasses.fields(of)
        for field in dataclasses.fields(getattr(of, group.name))
    }


def written_policy_constant(of: Policy, name: str) -> str:
    """The value of a constant as ``policy_with_values`` reads it."""
    return str(policy_constants(of)[name]).translate({ord(c): None for c in "() "}).rstrip(",")
