package workload

// Formula is a formula that holds in runs of one variant and is violated in runs of the other
// variant.
type Formula struct {
	Name   string
	Buffer bool // needs Config.Buffer
	Small  bool // does not need FullEvents
	Flat   bool // boolean, or with one temporal operator

	turns bool   // holds only if tasks can take turns
	holds string // the formula that holds with barriers
	alone string // the condition under which it holds without barriers; "" if there is none
	// violated is the violated formula, if it differs from holds: holds would be false in the
	// initial slice, which every run passes. "-" if there is none.
	violated string
}

const (
	anyway    = "no condition"
	sameTwo   = "if t1 == t2"
	sameThree = "if t1 == t2 and t2 == t3"
)

// Formulas returns the formulas.
func Formulas() []Formula {
	return []Formula{
		{Name: "exclusion of 2", Small: true, Flat: true,
			holds: "not (t1:(a) and t2:(c))", alone: sameTwo},
		{Name: "exclusion of 3", Small: true, Flat: true,
			holds: "not (t1:(a) and t2:(b) and t3:(c))", alone: sameThree},
		// Barriers are not enough for this; it needs a token or a lock.
		{Name: "one at a time", Flat: true, turns: true,
			holds: "not (t1:(e) and t2:(e)) if t1 != t2"},
		{Name: "ring buffer", Buffer: true, Small: true, Flat: true,
			holds: "not (t1:(in.append and (q.last-q.first)%N <= 1) and t2:(in.remove and (q.last-q.first)%N <= 1))",
			alone: sameTwo},
		{Name: "before, 3 TIVs", Flat: true,
			holds: "t1:(a) -> (t2:(b) before t3:(c))", alone: sameThree},
		// Without "initially" it is false next to every slice with c. With it, the slice that
		// violates it is one that every run passes.
		{Name: "before, initially", Flat: true,
			holds: "initially: ((t1:(a) before t2:(c)) if t1 != t2)", violated: "-"},
		{Name: "until", Flat: true,
			holds: "t1:(a) implies (t2:(b) until t3:(d))", alone: sameTwo},
		{Name: "response", Small: true, Flat: true,
			holds: "t1:(a) -> sometime t2:(b)", alone: anyway},
		{Name: "nested before", holds: Nested(2).holds, alone: sameThree},
		{Name: "next^5",
			holds: "t1:(a) -> not next^5 t2:(c)", alone: sameTwo},
		// Independent tasks can all be in a at once.
		{Name: "exists",
			holds: "always exists t (t:(not a))", violated: "exists t (t:(not a))"},
		// Independent tasks can be in a and c at once.
		{Name: "forall",
			holds: "t1:(a) -> forall t (t:(not c))"},
		// Laws hold in every net, for all tasks. They replace the work that conditions save for
		// independent tasks.
		law("until", "t1:(a) and (t2:(b) until t3:(c)) -> sometime t3:(c)"),
		law("before", "t1:(a) and (t2:(b) before t3:(c)) and sometime t3:(c) -> sometime t2:(b)"),
		law("next^5", "t1:(a) and next^5 t2:(c) -> sometime t2:(c)"),
		law("forall", "always forall t (t:(not c)) -> forall t (always t:(not c))"),
	}
}

func law(of, text string) Formula {
	return Formula{Name: "law of " + of, holds: text, alone: anyway, violated: "-"}
}

// Nested returns a formula with this many nested temporal operators, at least one.
func Nested(depth int) Formula {
	text := "t1:(a) -> (t2:(b) before t3:(c))"
	for range depth - 1 {
		text = "t1:(a) -> always (" + text + ")"
	}
	return Formula{Name: "nested", holds: text, alone: sameThree}
}

// Text returns the formula for a run. It reports false if there is none with the truth of the
// variant.
func (f Formula) Text(c Config) (string, bool) {
	switch {
	case f.Buffer && !c.Buffer, !f.Small && c.small():
		return "", false
	case c.Variant == Violated && f.violated != "":
		return f.violated, f.violated != "-"
	case f.turns && !c.turns():
		return "", false
	case c.Variant == Violated, c.Pattern.barriers(), f.alone == anyway:
		return f.holds, true
	case f.alone == "":
		return "", false
	}
	return "(" + f.holds + ") " + f.alone, true
}
