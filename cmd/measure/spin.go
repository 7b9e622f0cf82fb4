//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// spinTask is a program in Promela with a property, as one who is in a hurry would have SPIN check
// it.
type spinTask struct {
	text      string   // the program
	processes int64    // how many it has, for fairness
	defines   []string // macros, as "n=3"
	property  string   // a formula in SPIN's notation; "" counts the states
	kind      spinKind
	depth     int  // limit of the search, 0 is pan's own
	orders    bool // without partial order reduction
}

// spinKind is what is looked for.
type spinKind int

const (
	everyState spinKind = iota // all states
	badState                   // one that must not be
	badLoop                    // a loop that must not be
	fairLoop                   // one in which every process that can always move does
)

// spinResult is a result of SPIN.
type spinResult struct {
	holds       bool
	truncated   bool    // the limit of the depth was reached
	depth       int     // that was reached
	limit       int     // of the depth
	stack       float64 // MiB for that limit
	states      int     // that were stored
	transitions int
	pan         commandOutcome // of the last one of the three programs
	seconds     float64
}

// spinVersion returns what is compared with; an error says why SPIN cannot be run.
func spinVersion() (string, error) {
	spin, err := firstLine("spin", "-V")
	if err != nil {
		return "", err
	}
	cc, err := firstLine("cc", "--version")
	return spin + ", " + cc, err
}

// firstLine returns the first line that a command prints. Where it fails, the last one says why.
func firstLine(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, lines[len(lines)-1])
	}
	return lines[0], nil
}

// run makes a verifier, compiles it and runs it.
func (t spinTask) run() (s spinResult, err error) {
	dir, err := os.MkdirTemp("", "measure-spin-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	text := t.text
	if t.property != "" {
		text += fmt.Sprintf("\nltl { %s }\n", t.property)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(text), 0o600); err != nil {
		return s, err
	}
	for _, words := range [][]string{t.generate(), t.compile(), t.search()} {
		if s.pan, err = timed(dir, nil, words[0], words[1:]...); err != nil {
			return s, err
		}
		if s.pan.code != 0 {
			return s, fmt.Errorf("%s: exit code %d\n%s", strings.Join(words, " "), s.pan.code, s.pan.out)
		}
		s.seconds += s.pan.seconds
	}
	return s, s.read(s.pan.out)
}

func (t spinTask) generate() []string {
	words := []string{"spin"}
	for _, d := range t.defines {
		words = append(words, "-D"+d)
	}
	return append(words, "-a", "model.pml")
}

func (t spinTask) compile() []string {
	words := []string{"cc", "-O3", "-w", "-o", "pan", "pan.c"}
	if t.orders {
		words = append(words, "-DNOREDUCE")
	}
	switch t.kind {
	case everyState, badState:
		return append(words, "-DSAFETY")
	}
	// it is made for 4·NFAIR-2 processes, the property being one
	return append(words, fmt.Sprintf("-DNFAIR=%d", (t.processes+6)/4))
}

// search returns the command of the verifier. Its table begins with 2^20 entries, 8 MiB, and grows.
// A state without successors is no error, as with --stutter; only philosophers have one.
func (t spinTask) search() []string {
	words := []string{"./pan", "-w20", "-E"}
	if t.depth > 0 {
		words = append(words, fmt.Sprintf("-m%d", t.depth))
	}
	switch t.kind {
	case badLoop:
		words = append(words, "-a")
	case fairLoop:
		words = append(words, "-a", "-f")
	}
	return words
}

var (
	panErrors = regexp.MustCompile(`depth reached (\d+), errors: (\d+)`)
	panStates = regexp.MustCompile(`(?m)^ *(\d+) states, stored`)
	panLimit  = regexp.MustCompile(`([\d.]+)\s+memory used for DFS stack \(-m(\d+)\)`)
	panMoves  = regexp.MustCompile(`(?m)^ *(\d+) transitions`)
)

// read reads what a verifier prints.
func (s *spinResult) read(out string) error {
	found, stored, moves := panErrors.FindStringSubmatch(out), panStates.FindStringSubmatch(out), panMoves.FindStringSubmatch(out)
	if found == nil || stored == nil || moves == nil {
		return fmt.Errorf("pan has not come to its end:\n%s", out)
	}
	s.truncated = strings.Contains(out, "max search depth too small")
	s.holds = found[2] == "0"
	for to, digits := range map[*int]string{&s.depth: found[1], &s.states: stored[1], &s.transitions: moves[1]} {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return err
		}
		*to = n
	}
	if stack := panLimit.FindStringSubmatch(out); stack != nil {
		_, err := fmt.Sscan(stack[1]+" "+stack[2], &s.stack, &s.limit)
		return err
	}
	return nil
}

// deepEnough runs the task with a limit of 10,000, or its own if that is higher, and with ones that
// are thirty times as high until the search is not cut off, or has found something. The depth that
// was reached is the limit from then on: the stack takes memory in proportion to that.
func (t *spinTask) deepEnough() (spinResult, error) {
	for t.depth = max(t.depth, 10_000); ; t.depth *= 30 {
		s, err := t.run()
		if err != nil || !s.truncated || !s.holds {
			t.depth = max(s.depth+2, 1000)
			return s, err
		}
	}
}

var inSpin = []struct {
	pattern *regexp.Regexp
	written string
}{
	{regexp.MustCompile(`\bP(\d+)\.at\.(\w+)`), "at($1, $2)"},
	{regexp.MustCompile(`\b(\w+)\.at\.(\w+)`), "$1@$2"},
	// without parentheses SPIN 6.5.2 reads some of x[0] as a number of its own
	{regexp.MustCompile(`\b\w+ (==|!=|<=|>=|<|>) \w+\b`), "($0)"},
	{regexp.MustCompile(`&`), "&&"},
	{regexp.MustCompile(`\|`), "||"},
	{regexp.MustCompile(`\bG\b`), "[]"},
	{regexp.MustCompile(`\bF\b`), "<>"},
}

// spinFormula writes a formula as SPIN reads it: propositions say where processes stand or compare
// variables, operators are G and F and those of states.
func spinFormula(text string) string {
	for _, s := range inSpin {
		text = s.pattern.ReplaceAllString(text, s.written)
	}
	return text
}
