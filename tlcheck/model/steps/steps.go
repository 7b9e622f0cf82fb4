package steps

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/antichain-go/antichain/internal/budget"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/model/ltl"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Mode selects the steps that a search returns.
type Mode uint8

// The modes.
const (
	Shortest Mode = iota
	Minimal
	Maximal
	Every
	LiteralMin
	LiteralMax
)

var modeNames = [...]string{"shortest", "min", "max", "every", "literal-min", "literal-max"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode returns the mode with this name.
func ParseMode(name string) (Mode, error) {
	for i, n := range modeNames {
		if n == name {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("no mode %q of steps: the modes are %s", name, strings.Join(modeNames[:], ", "))
}

// Options are restrictions on the steps that a search returns.
type Options struct {
	Mode  Mode
	Limit int // greatest number of states of a step, at least 1

	// AllPaths asks for every sequence of states that is a step, which can be exponentially many.
	// The literal modes do not allow it.
	AllPaths bool

	// NewEnds omits steps to a state where an earlier one has ended.
	NewEnds bool

	// Memoryless searches by iterative deepening, and stores only the present sequence. It returns
	// all minimal steps, shorter ones first. It visits a state as often as sequences lead there. It
	// is for Shortest and Minimal.
	Memoryless bool

	// Repeat also returns sequences more than once if the automaton of a literal mode reads them in
	// several ways.
	Repeat bool
}

// check returns an error if options exclude each other.
func (o *Options) check() error {
	literal := o.Mode == LiteralMin || o.Mode == LiteralMax
	switch {
	case o.Limit < 1:
		return fmt.Errorf("a step has at least 1 state, not %d", o.Limit)
	case literal && o.AllPaths:
		return fmt.Errorf("mode %s visits each pair once, so it cannot find steps by all paths: choose another mode", o.Mode)
	case o.Memoryless && o.Mode != Shortest && o.Mode != Minimal:
		return fmt.Errorf("mode %s must remember visited states, so it has no memoryless search: choose another mode", o.Mode)
	case o.Repeat && !literal:
		return fmt.Errorf("mode %s reads a sequence in one way only, so none repeats", o.Mode)
	}
	return nil
}

// Step is a sequence of states that satisfies the formula.
type Step struct {
	States []kripke.State
	// Cycle is the index of the state that follows the last one, if the sequence can be continued
	// for ever and satisfies the formula in each round; otherwise -1.
	Cycle int
}

// Search finds the steps from a state, one after the other. Only one goroutine may use it.
type Search struct {
	ctx  context.Context // of the running call of Next
	next func() (*Step, error, bool)
	stop func()
	err  error // the error that ended the search
}

// stepHandler receives a step, and returns false to end the search.
type stepHandler func(*Step) bool

// New returns a search for steps that satisfy f. An error is for the options, or for an atom that
// the system does not have. The caller must close the search.
func New(sys kripke.System, f *temporal.Formula, from kripke.State, opt Options) (*Search, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	s := &Search{}
	find, err := s.finder(sys, f, from, &opt)
	if err != nil {
		return nil, err
	}
	ends := map[kripke.State]bool{}
	s.next, s.stop = iter.Pull2(func(yield func(*Step, error) bool) {
		err := find(func(step *Step) bool {
			end := step.States[len(step.States)-1]
			if opt.NewEnds && ends[end] {
				return true
			}
			ends[end] = true
			return yield(step, nil)
		})
		if err != nil {
			yield(nil, err)
		}
	})
	return s, nil
}

// finder returns the search for a mode, a function that yields all steps.
func (s *Search) finder(sys kripke.System, f *temporal.Formula, from kripke.State,
	opt *Options) (func(stepHandler) error, error) {
	if opt.Mode == LiteralMin || opt.Mode == LiteralMax {
		return func(yield stepHandler) error { return s.literalSearch(sys, f, from, opt, yield) }, checkAtoms(sys, f)
	}
	p, err := newProduct(sys, ltl.NewSubsets(ltl.New(f)))
	if err != nil {
		return nil, err
	}
	e := &explorer{search: s, product: p, limit: opt.Limit}
	find := map[bool]map[Mode]func(node, stepHandler) error{
		false: {Shortest: e.findShortest, Minimal: e.findMinimal, Maximal: e.findMaximal, Every: e.findEvery},
		true:  {Shortest: e.allShortest, Minimal: e.allMinimal, Maximal: e.allMaximal, Every: e.allEvery},
	}[opt.AllPaths][opt.Mode]
	if opt.Memoryless {
		find = (&depthSearch{explorer: e, shortest: opt.Mode == Shortest, all: opt.AllPaths}).find
	}
	return s.seek(sys, f, from, opt, func(yield stepHandler) error {
		n, ok, err := p.enter(s.ctx, from)
		if err != nil || !ok {
			return err
		}
		return find(n, yield)
	})
}

// checkAtoms returns an error for an atom that the system does not have.
func checkAtoms(sys kripke.System, f *temporal.Formula) error {
	for _, a := range f.Atoms() {
		if _, err := sys.Atom(a.Text); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next step; nil if there is none. An error is one of the system, or the cause of
// the end of the context. It ends the search.
func (s *Search) Next(ctx context.Context) (*Step, error) {
	if s.err != nil {
		return nil, s.err
	}
	if ctx.Err() != nil { // a search may have very many steps ready
		s.err = context.Cause(ctx)
		return nil, s.err
	}
	s.ctx = ctx
	step, err, _ := s.next()
	s.err = err
	return step, err
}

// Close ends the search.
func (s *Search) Close() { s.stop() }

// explorer finds steps in the product of the system and the deterministic automaton.
type explorer struct {
	search  *Search
	product *product
	limit   int
}

func (e *explorer) successors(n node) ([]node, error) { return e.product.successors(e.search.ctx, n) }

func (e *explorer) step(nodes []node) *Step { return &Step{e.product.states(nodes), -1} }

// Seeker is a system, such as the slices of a run, that can compute the states in which a
// proposition holds without visiting other states.
type Seeker interface {
	kripke.System

	// Seek returns an iterator over paths to the nearest states in which a boolean combination of
	// atoms holds: it holds in no earlier state on any path there. There is one path to each such
	// state, shorter ones first, and nil at the end. After an error the caller searches as in other
	// systems.
	Seek(from kripke.State, p *temporal.Formula) (func(context.Context) ([]kripke.State, error), error)
}

// seek searches for steps of F p in a Seeker. In other systems, or if the Seeker fails, it searches
// as otherwise does.
func (s *Search) seek(sys kripke.System, f *temporal.Formula, from kripke.State, opt *Options,
	otherwise func(stepHandler) error) (func(stepHandler) error, error) {
	seeker, ok := sys.(Seeker)
	goal := goalOf(f)
	if !ok || goal == nil || opt.AllPaths || opt.Memoryless || opt.Mode != Shortest && opt.Mode != Minimal {
		return otherwise, nil
	}
	next, err := seeker.Seek(from, goal)
	return func(yield stepHandler) error {
		holds, err := Holds(s.ctx, sys, goal, []kripke.State{from})
		if err != nil {
			return err
		}
		if holds {
			yield(&Step{[]kripke.State{from}, -1})
			return nil
		}
		way, err := firstPath(s.ctx, next)
		if err != nil && s.ctx.Err() == nil {
			return otherwise(yield)
		}
		for limit := opt.Limit; way != nil && err == nil && len(way) <= limit; way, err = next(s.ctx) {
			if opt.Mode == Shortest {
				limit = len(way)
			}
			if !yield(&Step{way, -1}) {
				return nil
			}
		}
		return err
	}, err
}

// firstPath asks for a path for at most half of the time that is left. If a Seeker has too many
// states to compute, a search may still meet one.
func firstPath(ctx context.Context, next func(context.Context) ([]kripke.State, error)) ([]kripke.State, error) {
	ctx, cancel := budget.Half(ctx)
	defer cancel()
	return next(ctx)
}

// goalOf returns p if the formula is F p and p is a boolean combination of atoms, else nil.
func goalOf(f *temporal.Formula) *temporal.Formula {
	switch {
	case f.Op == temporal.Eventually && f.X.Propositional():
		return f.X
	case f.Op == temporal.Until && f.X.Op == temporal.True && f.Y.Propositional():
		return f.Y
	}
	return nil
}
