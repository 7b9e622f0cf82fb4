package temporal

import (
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/source"
)

// Formula is a formula of LTL or CTL as it was written, without simplification.
type Formula struct {
	Op      Op
	X, Y    *Formula // the operands; a unary operator has X
	Atom    *Atom    // of op Atomic
	Process string   // of EX_i and AX_i; "" for any process
	Pos     Pos

	depth int // height of the tree, including itself
}

// Pos is a position in the text of a formula.
type Pos = source.Pos

// Atom is a proposition about one state. Atoms with equal text are equal.
type Atom struct {
	Text string
	Pos  Pos

	// For a comparison of variables and integers, such as turn == 1; Relation is in Go's notation.
	// Otherwise empty.
	Left, Relation, Right string

	// For t:(local): the task, and the formula of the local state logic as it was written.
	Task, Local string
}

// Op is the main operator of a formula.
type Op uint8

// The operators. Those of CTL quantify over the paths from a state: E over some, A over all.
const (
	Invalid Op = iota
	True
	False
	Atomic
	Not
	And
	Or
	Implies
	Iff
	Next          // X: there is a next state, and the operand holds there
	WeakNext      // N: if there is a next state, the operand holds there
	Eventually    // F
	Always        // G
	Until         // f U g: g eventually, and f until then
	Release       // f R g: g for ever, or up to and including a state with f
	WeakUntil     // f W g: f U g, or f for ever
	StrongRelease // f M g: f R g, and f eventually
	EX
	AX
	EF
	AF
	EG
	AG
	EGF // on some path infinitely often
	AFG // on every path from some state on
	EU
	AU
	ER
	AR
	EW
	AW
)

// Logic says which temporal operators Parse accepts.
type Logic uint8

// The logics.
const (
	FiniteLTL   Logic = iota + 1 // over finite words
	InfiniteLTL                  // over infinite words
	CTL
)

// Atoms returns the distinct atoms in f, in the order in which they are written.
func (f *Formula) Atoms() []*Atom {
	var atoms []*Atom
	seen := map[string]bool{}
	var walk func(*Formula)
	walk = func(f *Formula) {
		if f == nil {
			return
		}
		if f.Op == Atomic && !seen[f.Atom.Text] {
			seen[f.Atom.Text] = true
			atoms = append(atoms, f.Atom)
		}
		walk(f.X)
		walk(f.Y)
	}
	walk(f)
	return atoms
}

// Propositional reports whether f has no temporal operators, and so is about one state.
func (f *Formula) Propositional() bool {
	switch f.Op {
	case True, False, Atomic:
		return true
	case Not:
		return f.X.Propositional()
	case And, Or, Implies, Iff:
		return f.X.Propositional() && f.Y.Propositional()
	}
	return false
}

// QuoteTask returns the name of a task for use in an atom: in quotes unless it is a name.
func QuoteTask(task string) string {
	if isName(task) && !reserved(task, CTL) {
		return task
	}
	return strconv.Quote(task)
}

func isName(text string) bool {
	return text != "" && isLetter(rune(text[0])) && strings.TrimLeftFunc(text, isNamePart) == ""
}

// CutTask splits an atom t:(local) at the colon after the task.
func CutTask(atom string) (task, local string, ok bool) {
	if !strings.HasPrefix(atom, `"`) {
		task, local, ok = strings.Cut(atom, ":")
		return strings.TrimSpace(task), local, ok
	}
	quoted, err := strconv.QuotedPrefix(atom)
	if err != nil {
		return "", "", false
	}
	task, _ = strconv.Unquote(quoted)
	local, ok = strings.CutPrefix(strings.TrimSpace(atom[len(quoted):]), ":")
	return task, local, ok
}

// operator is the notation of an operator. An operand needs parentheses if its precedence is lower,
// or equal on a side that does not associate.
type operator struct {
	text  string
	level int
}

// The precedences, the weakest first.
const (
	levelIff = iota + 1
	levelImplies
	levelOr
	levelAnd
	levelTemporal
	levelUnary
	levelPrimary
)

var operators = [...]operator{
	True: {"true", levelPrimary}, False: {"false", levelPrimary}, Atomic: {"", levelPrimary},
	Not: {"!", levelUnary},
	And: {"&", levelAnd}, Or: {"|", levelOr}, Implies: {"->", levelImplies}, Iff: {"<->", levelIff},
	Next: {"X", levelUnary}, WeakNext: {"N", levelUnary},
	Eventually: {"F", levelUnary}, Always: {"G", levelUnary},
	Until: {"U", levelTemporal}, Release: {"R", levelTemporal},
	WeakUntil: {"W", levelTemporal}, StrongRelease: {"M", levelTemporal},
	EX: {"EX", levelUnary}, AX: {"AX", levelUnary}, EF: {"EF", levelUnary}, AF: {"AF", levelUnary},
	EG: {"EG", levelUnary}, AG: {"AG", levelUnary}, EGF: {"EGF", levelUnary}, AFG: {"AFG", levelUnary},
	EU: {"U", levelPrimary}, AU: {"U", levelPrimary}, ER: {"R", levelPrimary}, AR: {"R", levelPrimary},
	EW: {"W", levelPrimary}, AW: {"W", levelPrimary},
}

func (op Op) String() string {
	if op == Invalid || int(op) >= len(operators) {
		return "invalid"
	}
	switch op {
	case Atomic:
		return "atom"
	case EU, ER, EW, AU, AR, AW:
		return quantifier(op) + "[" + operators[op].text + "]"
	}
	return operators[op].text
}

// quantifier returns the E or A of an operator with brackets.
func quantifier(op Op) string {
	if op == AU || op == AR || op == AW {
		return "A"
	}
	return "E"
}

// Words that cannot name atoms in any logic. In a logic without them they are most likely a
// mistake.
var (
	linearUnary = map[string]Op{"X": Next, "next": Next, "N": WeakNext, "weaknext": WeakNext,
		"F": Eventually, "eventually": Eventually, "G": Always, "always": Always}
	linearBinary = map[string]Op{"U": Until, "until": Until, "R": Release, "V": Release, "release": Release,
		"W": WeakUntil, "M": StrongRelease}
	connectives = map[string]bool{"not": true, "and": true, "or": true, "true": true, "false": true}
)

// Operators of CTL, which can name atoms in other logics.
var (
	branchingUnary = map[string]Op{"EX": EX, "AX": AX, "EF": EF, "AF": AF, "EG": EG, "AG": AG, "EGF": EGF, "AFG": AFG}
	somePath       = map[string]Op{"U": EU, "until": EU, "R": ER, "V": ER, "release": ER, "W": EW}
	allPaths       = map[string]Op{"U": AU, "until": AU, "R": AR, "V": AR, "release": AR, "W": AW}
)

// reserved reports whether a name cannot be that of an atom.
func reserved(name string, logic Logic) bool {
	if connectives[name] || linearUnary[name] != Invalid || linearBinary[name] != Invalid {
		return true
	}
	if logic != CTL {
		return false
	}
	return name == "E" || name == "A" || branchingUnary[name] != Invalid || stepOf(name) != ""
}

// stepOf returns the process i of a name EX_i or AX_i.
func stepOf(name string) string {
	if len(name) > 3 && (name[:3] == "EX_" || name[:3] == "AX_") {
		return name[3:]
	}
	return ""
}
