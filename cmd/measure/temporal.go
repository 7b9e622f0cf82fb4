//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/internal/workload"
)

// logics prints what checking, satisfiability and synthesis take in linear and branching time
// logic, beside SPIN and Spot where they are.
func logics(args []string) error {
	flags := selecting("temporal", "rows whose names match this `pattern`: \"X1, n=4: safety\"")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newCommandBench()
	if err != nil {
		return err
	}
	defer b.remove()
	fmt.Printf("Medians of %d; memory is the most of all.\n", *flags.count)
	if err := b.besideSpin(flags.pattern, *flags.count); err != nil {
		return err
	}
	if err := b.efforts(flags.pattern, *flags.count); err != nil {
		return err
	}
	if !flags.pattern.MatchString("satisfiability") {
		return nil
	}
	spot := present("Spot", "pip install spottl", spotVersion)
	text, err := b.satisfiable(*flags.count, spot)
	if err != nil {
		return err
	}
	fmt.Print("\n", text, "\n", satNotes)
	return nil
}

// present reports whether a peer is here, and prints its version, or why there are no numbers of
// it.
func present(name, remedy string, version func() (string, error)) bool {
	v, err := version()
	if err != nil {
		fmt.Printf("\nNothing is compared with %s, which is not here (%s): %v\n", name, remedy, err)
		return false
	}
	fmt.Printf("\nBeside %s.\n", v)
	return true
}

// besideSpin prints the table of twins.
func (b *bench) besideSpin(pattern *regexp.Regexp, count int) error {
	spin := present("SPIN", "apt-get install spin gcc", spinVersion)
	twins := &twinBench{bench: b, count: count, spin: spin, known: map[string]int{}}
	t := twinTable.start()
	fmt.Println()
	err := eachRow(twinRows(), (*twin).name, pattern, func(r *twin) error {
		m, err := twins.row(*r)
		if err != nil {
			return err
		}
		t.add(m.cells()...)
		flush(t)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Print("\n", twinNotes)
	return nil
}

// effort is a row of the table of what has no peer here: what is measured is one process, or some
// in turn.
type effort struct {
	name    string
	seconds float64 // that it should take at most
	prepare func() error
	once    func() (commandOutcome, error)
}

var effortTable = table{"", "s", "MiB", "target", "met"}

// efforts prints the table of what has no peer.
func (b *bench) efforts(pattern *regexp.Regexp, count int) error {
	t := effortTable.start()
	fmt.Println()
	return eachRow(b.allEfforts(), func(e *effort) string { return e.name }, pattern, func(e *effort) error {
		if e.prepare != nil {
			if err := e.prepare(); err != nil {
				return err
			}
		}
		all, err := several(count, e.once)
		if err != nil {
			return err
		}
		t.add(e.name, precise(all.seconds), number(all.mib), fmt.Sprintf("< %v s", e.seconds), yes(all.seconds < e.seconds))
		flush(t)
		return nil
	})
}

func (b *bench) allEfforts() (all []effort) {
	for _, r := range linearRows {
		if limit, ok := map[string]float64{"X1, n=4": 0.5, "X1, n=6": 20, "X2, n=4": 20}[fmt.Sprintf("%s, n=%d", r.program, r.n)]; ok {
			all = append(all, b.bySatisfiability(twin{linearRow: r}, limit))
		}
	}
	var c *contest
	for i, logic := range []string{"CTL", "LTL"} {
		all = append(all, effort{name: "768 formulas of " + logic + " on 24 models of the contest", seconds: []float64{5, 20}[i],
			prepare: func() (err error) {
				if c == nil {
					c, err = b.contest()
				}
				return err
			},
			once: func() (commandOutcome, error) { return c.ask(b, logic) }})
	}
	all = append(all, b.million(), b.starving(50), b.starving(100))
	for n, limit := range []float64{2: 0.05, 3: 0.3, 4: 1} {
		if n >= 2 {
			all = append(all, b.synthesis(n, limit))
		}
	}
	return all
}

// bySatisfiability checks a program as a formula; the answer must be that of the product.
func (b *bench) bySatisfiability(r twin, limit float64) effort {
	var code int
	return effort{name: r.name() + ", by satisfiability", seconds: limit,
		prepare: func() error {
			t, err := b.decide(r, byProduct)
			code = t.code
			return err
		},
		once: func() (commandOutcome, error) {
			t, err := b.decide(r, bySatisfiability)
			if err == nil && t.code != code {
				err = fmt.Errorf("exit code %d, but by the product it is %d", t.code, code)
			}
			return t, err
		}}
}

// millionFormula has 20 subformulas, with all kinds of operators.
const millionFormula = "AG (a -> AF b) & A[!b W EX_1 c] & EGF (a | EX b) & !E[!a R AX (c -> EG !a)]"

// million checks a formula on a structure of a million states, with three moves each, that is read
// from a file.
func (b *bench) million() effort {
	path := b.path("million.json")
	ask := func(formula string) (commandOutcome, error) {
		return timed("", nil, b.path("antichain"), "ctl", "check", "--timeout", commandLimit.String(), "--model", path, formula)
	}
	var denied int
	return effort{name: "a CTL formula of 20 subformulas on 10^6 explicit states", seconds: 10,
		prepare: func() error {
			if err := writeMillion(path, 1_000_000); err != nil {
				return err
			}
			t, err := ask("!(" + millionFormula + ")")
			denied = t.code
			return err
		},
		once: func() (commandOutcome, error) {
			t, err := ask(millionFormula)
			if err == nil && t.code == denied {
				err = errors.New("a formula and its negation have the same answer")
			}
			return t, err
		}}
}

// writeMillion writes a structure of n states: process 1 goes on to the next state or anywhere,
// process 2 anywhere, and few states have a proposition.
func writeMillion(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	w := bufio.NewWriter(f)
	list := func(each func(s int) string) {
		w.WriteByte('[')
		for s := range n {
			if s > 0 {
				w.WriteByte(',')
			}
			w.WriteString(each(s))
		}
		w.WriteByte(']')
	}
	fmt.Fprintf(w, `{"states":%d,"start":0,"labels":`, n)
	list(func(int) string {
		var labels []string
		for _, name := range []string{`"a"`, `"b"`, `"c"`} {
			if random.IntN(85) == 0 {
				labels = append(labels, name)
			}
		}
		return "[" + strings.Join(labels, ",") + "]"
	})
	w.WriteString(`,"trans":{"1":`)
	list(func(s int) string { return fmt.Sprintf("[%d,%d],[%[1]d,%d]", s, (s+1)%n, random.IntN(n)) })
	w.WriteString(`,"2":`)
	list(func(s int) string { return fmt.Sprintf("[%d,%d]", s, random.IntN(n)) })
	w.WriteString("}}\n")
	return errors.Join(w.Flush(), f.Close())
}

// starving finds, in sets of states, that philosophers can starve.
func (b *bench) starving(n int64) effort {
	return effort{name: fmt.Sprintf("%d philosophers by sets of states: can each eat again, always?", n), seconds: 5,
		once: func() (commandOutcome, error) {
			t, err := timed("", nil, b.path("antichain"), "ctl", "check", "--by", "sets", "--stutter", "--model",
				filepath.Join(b.root, "examples/programs/philosophers.gcl"), "--param", fmt.Sprintf("n=%d", n), "AG EF P1.at.eat")
			if err == nil && t.code != 1 {
				err = errors.New("philosophers do not starve")
			}
			return t, err
		}}
}

// processNumber is a process as a specification names it; its program calls process 1 P1.
var processNumber = regexp.MustCompile(`\b([EA]X_)(\d+)\b`)

// synthesis makes a program of the specification of mutual exclusion, which must satisfy it.
func (b *bench) synthesis(n int, limit float64) effort {
	spec := workload.MutualExclusion(n)
	file, program := b.path(fmt.Sprintf("mutex%d.ctl", n)), b.path(fmt.Sprintf("mutex%d.gcl", n))
	return effort{name: fmt.Sprintf("synthesis: mutual exclusion of %d", n), seconds: limit,
		prepare: func() error { return os.WriteFile(file, []byte(spec), 0o600) },
		once: func() (commandOutcome, error) {
			t, err := timed("", nil, b.path("antichain"), "ctl", "synth", "--file", file)
			if err != nil {
				return t, err
			}
			if err := os.WriteFile(program, []byte(t.out), 0o600); err != nil {
				return t, err
			}
			c, err := timed("", nil, b.path("antichain"), "ctl", "check", "--model", program, processNumber.ReplaceAllString(spec, "${1}P$2"))
			if err == nil && (t.code != 0 || c.code != 0) {
				err = fmt.Errorf("%s does not satisfy its specification:\n%s", filepath.Base(program), c.out)
			}
			return t, err
		}}
}
