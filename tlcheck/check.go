package tlcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	stdslices "slices"
	"time"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
	"github.com/antichain-go/antichain/tlcheck/formula"
	"github.com/antichain-go/antichain/tlcheck/lsl"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// DefaultIntervals bounds the intervals if Options bound neither intervals nor memory. An interval
// takes 8 bytes per task.
const DefaultIntervals = 1 << 20

// Options control a check. The zero Options check in the dialect l3 without a time limit.
type Options struct {
	Logic  lsl.Logic
	Time   time.Duration // maximal duration; 0 is no bound
	Memory int64         // maximal memory of this process in bytes (budget.WithMemory); 0 is no bound
	// maximal number of intervals; 0 is DefaultIntervals, or no bound if Memory is set
	Intervals int
	Last      bool // the witness is a violation with the most actions instead of the fewest

	// Sections says that critical sections of locks order nothing in the net. The property, which
	// must have no temporal operator (see Reorderable), is checked in the states that respect
	// mutual exclusion.
	Sections bool

	// Open says why events may see different values in another order of critical sections, in which
	// case the program may not follow that order; "" if they cannot. Only Sections needs it.
	Open string

	// Progress, if not nil, is called repeatedly with how far the check is. It must be quick.
	Progress func(Progress) `json:"-"`
}

func (o Options) intervals() int {
	switch {
	case o.Intervals > 0:
		return o.Intervals
	case o.Memory > 0:
		return math.MaxInt
	}
	return DefaultIntervals
}

// The reasons for which a budget ends a check, for errors.Is.
var (
	ErrTime   = budget.ErrTime   // its time ran out
	ErrMemory = budget.ErrMemory // its memory ran out
)

// Check decides whether the property holds for the run. It returns a *spec.Error for a property
// with names that the trace has not recorded, and an *UnsupportedError for one that a sparse trace
// cannot decide. If a budget runs out, or the context ends, the verdict is Unknown, or the witness
// need not be the smallest; that is no error.
func Check(ctx context.Context, net *san.Net, prop *spec.Property, opt Options) (*Result, error) {
	resolved, err := admit(net, prop, opt)
	if err != nil {
		return nil, err
	}
	if l, ok := resolved.Formula.(*spec.Linearizable); ok {
		return checkLinearizable(ctx, net, prop, l, opt)
	}
	ctx, cancel := opt.limitContext(ctx)
	defer cancel()
	c, err := newCheck(ctx, net, formula.Compile(resolved, opt.Logic), opt)
	if err == nil {
		err = c.search.run()
	}
	return c.result(prop, err), nil
}

// admit resolves the property and rejects it if the trace cannot decide it.
func admit(net *san.Net, prop *spec.Property, opt Options) (*spec.Property, error) {
	prop, err := Resolve(net.Header(), prop)
	if err == nil {
		err = sharedPrevious(prop, prop.Formula, sharedNames(net))
	}
	if err == nil && net.Header().Sparse {
		err = DecidableOnSparse(net.Header(), prop, opt.Logic)
	}
	return prop, err
}

// sharedPrevious refuses a formula that names the previous value of a shared variable: a set of
// values has none, because which of them came before the present one is not known.
func sharedPrevious(prop *spec.Property, f spec.Formula, shared []string) error {
	for _, x := range spec.Operands(f) {
		if err := sharedPrevious(prop, x, shared); err != nil {
			return err
		}
	}
	a, ok := f.(*spec.Atom)
	if !ok {
		return nil
	}
	for _, v := range spec.PreviousOf(a) {
		if i := stdslices.IndexFunc(shared, func(s string) bool { return isPartOf(v.Name, s) }); i >= 0 {
			return &UnsupportedError{Property: prop, Formula: f,
				How:    "with the shared variable " + shared[i],
				Reason: "a set of values has no previous value",
				Remedy: "to ask for its local copies, do not declare it shared"}
		}
	}
	return nil
}

// limitContext returns a context that ends when the time or the memory is used up.
func (o Options) limitContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return budget.Bound(ctx, o.Time, o.Memory)
}

// Resolve returns the property with its function names resolved against those that the trace has
// recorded, and rejects one with other names. If the header does not list the recorded names, the
// property stays unchanged.
func Resolve(h *event.Header, prop *spec.Property) (*spec.Property, error) {
	if h.Instrumented == nil {
		return prop, nil
	}
	i := h.Instrumented
	v := &spec.Vocabulary{Package: i.Package, Functions: i.Functions, Names: i.Names, Operations: i.Operations,
		Variables: stdslices.Clone(i.Variables)}
	for _, b := range h.Consts {
		v.Variables = append(v.Variables, b.Name)
	}
	for _, b := range h.Shared {
		v.Variables = append(v.Variables, b.Name)
	}
	return prop.Resolve(v)
}

// check is the state of one check.
type check struct {
	search search
	atoms  *atomTable
	memory int64  // budget, 0 is none
	open   string // Options.Open
}

// newCheck returns a check that is ready to search.
func newCheck(ctx context.Context, net *san.Net, f *formula.Formula, opt Options) (*check, error) {
	c := plannedCheck(ctx, net, f, opt)
	return c, c.begin()
}

// plannedCheck returns a check that has not examined the net yet.
func plannedCheck(ctx context.Context, net *san.Net, f *formula.Formula, opt Options) *check {
	lat := slices.NewLattice(net)
	c := &check{atoms: newAtomTable(lat, f), memory: opt.Memory}
	e := &evaluator{net: net, lat: lat, atoms: c.atoms, memos: newMemos(f), all: lat.All(), none: lat.None(),
		vary: f.Slots, ranks: allRanks, steep: steepNodes(f),
		budget: slices.Budget{Context: ctx, Intervals: opt.intervals()}}
	if opt.Progress != nil {
		e.progress = func(intervals int) { opt.Progress(Progress{c.search.share(), intervals}) }
	}
	e.expect([]*formula.Node{f.Violated})
	c.search = search{evaluator: e, formula: f, initially: f.Property.Initially, last: opt.Last,
		branches:       branches(f.Violated),
		hasJointAction: lat.Top().Size() < lat.Top().Events()}
	if opt.Sections {
		c.search.sections, c.open = slices.NewSections(lat), opt.Open
	}
	return c
}

// begin computes the values of the atoms and the tasks with which TIVs must be tried.
func (c *check) begin() error {
	err := c.atoms.evaluate(c.search.budget)
	if err == nil {
		c.search.tasks, err = representatives(c.search.budget, c.search.formula, c.atoms)
	}
	return err
}

// result turns the end of a search into a verdict; stopped is the error that ended it early, if
// any. A violation stays one if a budget ran out later.
func (c *check) result(prop *spec.Property, stopped error) *Result {
	r := &Result{Property: prop, Net: c.search.net, EvalErrors: c.atoms.log.EvalErrors(), Stopped: stopped,
		compiled: c.search.formula}
	if why := c.atoms.log.GaveUp(); why != "" {
		r.Covered = why
		return r
	}
	switch {
	case c.search.best != nil:
		r.Verdict, r.Witness = Violated, c.witness(context.WithoutCancel(c.search.budget.Context), c.search.best)
		if stopped != nil {
			r.Covered = "there may be a " + c.search.betterWitness() + " witness: " + c.coverage(stopped)
		}
	case stopped != nil:
		r.Covered = c.coverage(stopped)
	default:
		r.Verdict, r.Vacuous = Holds, Vacuous(c.search.formula, c.atoms.formula)
	}
	return r
}

// Progress is how far a check has come.
type Progress struct {
	Share     float64 // decided share of the TIVAs, from 0 to 1; never decreases
	Intervals int     // intervals in memory
}

// share returns the share of the TIVAs that are decided; all branches have equal weight.
func (s *search) share() float64 {
	if s.done == len(s.branches) {
		return 1
	}
	return (float64(s.done) + min(s.covered, 1)) / float64(len(s.branches))
}

// coverage says why a search stopped and how far it came.
func (c *check) coverage(why error) string {
	text := why.Error()
	if errors.Is(why, context.DeadlineExceeded) {
		text = ErrTime.Error()
	} else if errors.Is(why, context.Canceled) {
		text = "the check was stopped"
	}
	s := &c.search
	if len(s.formula.TIVs) == 0 {
		text += " before the formula was decided"
	} else {
		all := power(s.net.Tasks(), len(s.formula.TIVs))
		text += fmt.Sprintf(" after %s of the %s assignments of tasks to task variables", percent(s.share()),
			number(all))
	}
	if n := len(s.branches); n > 1 {
		text += fmt.Sprintf(" (%d of %d cases done)", s.done, n)
	}
	return text
}

// percent formats a share below 1.
func percent(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "none"
	case p < 0.01:
		return "less than 0.01%"
	case p < 1:
		return fmt.Sprintf("about %.1g%%", p)
	default:
		return fmt.Sprintf("about %.0f%%", math.Floor(min(p, 99)))
	}
}

// abbreviatedDigits is the length from which numbers are abbreviated.
const abbreviatedDigits = 12

func number(n *big.Int) string {
	if s := n.String(); len(s) < abbreviatedDigits {
		return s
	}
	return new(big.Float).SetInt(n).Text('e', 1)
}
