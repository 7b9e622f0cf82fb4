package temporal

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
