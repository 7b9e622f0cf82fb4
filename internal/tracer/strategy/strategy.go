// Package strategy names the ways in which the schedules of runs are chosen, and says what each is
// worth.
//
// Of the schedules that are drawn, a step is an operation of a goroutine that the hooks see, the
// beginning of a goroutine, or that a goroutine comes to where it waits. n is the number of
// goroutines of a run, and k that of its steps.
//
//   - Walk takes any goroutine that can make a step, each with the same probability.
//   - PCT is the scheduler of Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized Scheduler
//     with Probabilistic Guarantees of Finding Bugs (ASPLOS 2010), section 2. Goroutines begin with
//     random priorities, and at d-1 of the k steps, which are drawn, the one that is about to make
//     it falls below all others. It finds a bug of depth d, one that shows whenever d steps come in
//     a certain order, with a probability of at least 1/(n*k^(d-1)).
//   - POS is the sampling of Yuan, Yang, Gu, Partial Order Aware Concurrency Sampling (CAV 2018),
//     section 3. Each operation has a random priority. When one is done, those that others are
//     about to do on the same object get new ones, so operations that have nothing to do with each
//     other do not matter for that. Each order is possible.
//   - Early has the priorities of PCT, and each goroutine has change points of its own: at its j-th
//     operation before which others could go first, with a probability of 1/(c*(j+1)), where c is
//     1, 2 or 4 in a run. So k need not be known, and there is no bound in it: a bug shows the
//     sooner, the nearer it is to where goroutines begin. It is not published.
//   - SURW is the selectively uniform random walk of Zhao, Wolff, Mathur, Roychoudhury, Selectively
//     Uniform Concurrency Testing (ASPLOS 2025), section 3. Some operations count: those on one
//     object, or on objects that are used at the same places, drawn for each run. The goroutine
//     that does the next of these is drawn in proportion to how many it has left, with those of the
//     goroutines that it has yet to start; others walk until they come to one that counts. If these
//     numbers are right and nothing blocks, all orders of the operations that count come with the
//     same probability. A first run, which walks, gives the numbers.
//   - RFF is the fuzzer of Wolff, Shi, Duck, Mathur, Roychoudhury, Greybox Fuzzing for Concurrency
//     Testing (ASPLOS 2024), sections 3 and 4. A run has constraints on which operation reads what
//     another one has written. Operations that fit them go first, and those that do not go last;
//     otherwise a run is as under POS. The constraints of a run that shows a new pair of operations
//     are kept, and changed for later runs. Nothing is guaranteed.
//
// Whatever the program does, runs that are drawn by one strategy other than RFF are independent. So
// what they show bounds what a further one would show; see WithoutFinding and News.
package strategy

import (
	_ "embed" // of the sources
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

//go:embed lottery.go
var lotterySource string

//go:embed readsfrom.go
var readsFromSource string

// Sources are the files with the code that draws schedules, for package runtime of a traced
// program.
var Sources = map[string]string{"lottery.go": lotterySource, "readsfrom.go": readsFromSource}

// Rule is a way to choose schedules.
type Rule uint32

// The rules. Pairs and All choose schedules by what earlier runs have shown.
const (
	Auto  Rule = 0       // reversed pairs, then what Of says
	Walk  Rule = byWalk  // a random walk
	PCT   Rule = byPCT   // probabilistic concurrency testing
	POS   Rule = byPOS   // partial order sampling
	Early Rule = byEarly // with change points near where goroutines begin
	SURW  Rule = bySURW  // selectively uniform random walk
	RFF   Rule = byRFF   // fuzzing of what reads from what
	Pairs Rule = 100     // reversed pairs, as long as there are some, then what Of says
	All   Rule = 101     // a run for each order
)

var names = map[Rule]string{
	Auto: "auto", Walk: "walk", PCT: "pct", POS: "pos", SURW: "surw", RFF: "rff",
	Early: "early", Pairs: "pairs", All: "all",
}

// Names are the names of all strategies, for people.
const Names = "auto, pairs, walk, pct:DEPTH, pos, surw, rff, early or all"

// Strategy is a rule with what it needs. The zero value is Auto.
type Strategy struct {
	Rule  Rule
	Depth int // of PCT
	Steps int // of a run, for PCT; 0 if that is not known
	// what SURW counts, or the constraints of RFF, as text; "" for a run that finds this out
	Learnt string
}

// DefaultSteps is how many steps PCT expects if nothing is known.
const DefaultSteps = 1024

// Parse returns the strategy of a name, such as pos, pct:3 or, with the number of steps, pct:3:200.
func Parse(text string) (Strategy, error) {
	name, rest, more := strings.Cut(text, ":")
	for rule, known := range names {
		if known != name {
			continue
		}
		switch {
		case rule == PCT:
			return parsePCT(rest)
		case (rule == SURW || rule == RFF) && more:
			return parseLearnt(rule, rest)
		case more:
			return Strategy{}, fmt.Errorf("%s has no number", name)
		}
		return Strategy{Rule: rule}, nil
	}
	return Strategy{}, errors.New("must be " + Names)
}

func parsePCT(text string) (Strategy, error) {
	depth, steps, more := strings.Cut(text, ":")
	s := Strategy{Rule: PCT}
	var err error
	if s.Depth, err = strconv.Atoi(depth); err != nil || s.Depth < 1 || s.Depth > maxDepth {
		return Strategy{}, fmt.Errorf("pct needs the depth of a bug, a number from 1 to %d, such as pct:3", maxDepth)
	}
	if more {
		if s.Steps, err = strconv.Atoi(steps); err != nil || s.Steps < 1 {
			return Strategy{}, errors.New("behind the depth stands how many steps a run has, such as pct:3:200")
		}
	}
	return s, nil
}

func parseLearnt(rule Rule, text string) (Strategy, error) {
	s := Strategy{Rule: rule, Learnt: text}
	if _, err := s.counts(); err != nil || text == "" {
		return Strategy{}, fmt.Errorf("what is behind %s: must be as a run has printed it", names[rule])
	}
	return s, nil
}

// counts returns what Learnt says.
func (s Strategy) counts() (*ring.Counts, error) {
	if s.Rule == RFF {
		return decodeConstraints(s.Learnt)
	}
	return decode(s.Learnt)
}

// Set is Parse, for a flag.
func (s *Strategy) Set(text string) (err error) {
	*s, err = Parse(text)
	return err
}

// Type returns the name that help gives to the flag's value.
func (s *Strategy) Type() string { return "STRATEGY" }

func (s Strategy) String() string {
	text := names[s.Rule]
	if s.Rule == PCT {
		text += fmt.Sprintf(":%d", s.Depth)
		if s.Steps > 0 {
			text += fmt.Sprintf(":%d", s.Steps)
		}
	}
	if s.Learnt != "" {
		text += ":" + s.Learnt
	}
	return text
}

// IsDrawn reports whether all runs of the strategy are drawn by one rule.
func (s Strategy) IsDrawn() bool {
	return s.Rule >= Walk && s.Rule <= RFF
}

// Of returns the strategy that draws the run of a seed.
func (s Strategy) Of(seed uint64) Strategy {
	if s.IsDrawn() {
		return s
	}
	return mixture[seed%uint64(len(mixture))]
}

// mixture are the strategies that take turns in Auto. Each finds some bugs much sooner than the
// others.
var mixture = [...]Strategy{
	{Rule: POS}, {Rule: POS}, {Rule: Early}, {Rule: Walk},
	{Rule: POS}, {Rule: Early}, {Rule: PCT, Depth: 1}, {Rule: Walk},
}

// Draws returns the rule by which a run of the strategy is drawn, with its numbers.
func (s Strategy) Draws() ring.Draws {
	steps := s.Steps
	if steps == 0 {
		steps = DefaultSteps
	}
	draws := ring.Draws{Rule: uint32(s.Rule), Depth: uint32(s.Depth), Steps: uint64(steps)}
	if s.Rule == SURW || s.Rule == RFF {
		draws.Counts, _ = s.counts() // it was checked by Parse
	}
	return draws
}

// A Learner draws runs by what runs before them have shown.
type Learner interface {
	// Draw returns the strategy of the run of a seed.
	Draw(seed uint64) Strategy
	// Learn takes what a run has noted into account. It reports whether the run was made for
	// that alone, and drawn in another way than those that follow.
	Learn(s Strategy, notes []ring.Note) bool
}

// Learner returns what draws the runs of the strategy; nil if each is drawn by its seed alone.
func (s Strategy) Learner() Learner {
	switch {
	case s.Rule == SURW && s.Learnt == "":
		return new(Counts)
	case s.Rule == RFF && s.Learnt == "":
		return newCorpus()
	}
	return nil
}

// IsIndependent reports whether no run of the strategy depends on what others have shown.
func (s Strategy) IsIndependent() bool { return s.Rule != RFF || s.Learnt != "" }

// Expecting returns the strategy for runs of up to that many steps. PCT rounds the number up to a
// power of two, which seldom changes, since its schedules depend on it.
func (s Strategy) Expecting(steps int) Strategy {
	if s.Rule == PCT && steps > s.Steps {
		s.Steps = 1
		for s.Steps < steps {
			s.Steps *= 2
		}
	}
	return s
}

// Guarantee returns, in words, what one run is worth if its program starts that many goroutines and
// makes that many steps; "" if nothing is known.
func (s Strategy) Guarantee(goroutines, steps int) string {
	n, k := float64(goroutines), float64(steps)
	switch {
	case goroutines == 0 || steps == 0 || s.Rule == Early:
		return ""
	case s.Rule == Walk:
		return fmt.Sprintf("any order of these steps comes with a probability of at least 1/%d^%d (10^%.0f)",
			goroutines, steps, -k*math.Log10(n))
	case s.Rule == PCT:
		k = max(k, float64(s.Steps))
		return fmt.Sprintf("a bug of depth %d shows with a probability of at least 1/(%d*%.0f^%d), which is %s",
			s.Depth, goroutines, k, s.Depth-1, Percent(1/(n*math.Pow(k, float64(s.Depth-1)))))
	case s.Rule == RFF && s.Learnt == "":
		return "no probability is guaranteed, since each run depends on those before it"
	case s.Rule == SURW:
		return "all orders of the operations that count come with the same probability, if nothing blocks and each " +
			"goroutine does as many as with the first seed"
	}
	return "any order of these steps is possible"
}
