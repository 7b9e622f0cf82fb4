//go:build unix

// Package races measures which data races are found in logs in the STD format.
//
// It makes logs of random threads that guard all that they share, and injects a race into some. The
// race is known to be one: an order of the lines that leads to it is executed. So nothing else may
// be reported, and in logs without a race nothing at all.
package races

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// settings are the command line.
type settings struct {
	seed                uint64
	logs, lines, rounds int
}

func parse(args []string) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("races", flag.ContinueOnError)
	flags.Uint64Var(&s.seed, "seed", 1, "make the logs of this `number`")
	flags.IntVar(&s.logs, "logs", 200, "so many logs of each kind")
	flags.IntVar(&s.lines, "lines", 1000, "of so many lines")
	flags.IntVar(&s.rounds, "rounds", 5, "measure times so often; 0: do not")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 || s.logs < 1 || s.lines < 100 || s.rounds < 0 {
		return nil, errors.New("-logs must be at least 1 and -lines 100, -rounds must not be negative, and no arguments follow the flags")
	}
	return s, nil
}

// Run makes both tables and prints them. It is an error if anything is reported that is no race.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	wrong, err := s.shares(w)
	if err != nil {
		return err
	}
	if s.rounds > 0 {
		fmt.Fprintln(w)
		if err := s.times(w); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d reports are no races", wrong)
	}
	return nil
}

// row is what was found in logs of a kind.
type row struct {
	found, open, undone [ways]int
	wrong               []string
}

// shares prints how many races of each kind are found, and returns how many reports are none.
func (s *settings) shares(w io.Writer) (wrong int, err error) {
	fmt.Fprintf(w, "%d logs of %d lines of each kind.\n\n", s.logs, s.lines)
	fmt.Fprintln(w, "| race | happens-before | sections, too | reads are open | undecided | false reports |")
	fmt.Fprintln(w, "| --- | --: | --: | --: | --: | --: |")
	var examples []string
	for k := range kind(len(kindNames)) {
		r, err := s.row(k)
		if err != nil {
			return 0, err
		}
		found := []string{"-", "-"}
		if k != none {
			found = []string{share(r.found[happensBefore], s.logs), share(r.found[sections], s.logs)}
		}
		fmt.Fprintf(w, "| %v | %s | %s | %d | %d | %d |\n", k, found[0], found[1], r.open[sections], r.undone[sections], len(r.wrong))
		wrong += len(r.wrong)
		examples = append(examples, r.wrong[:min(len(r.wrong), 3)]...)
	}
	for _, e := range examples {
		fmt.Fprintln(w, "false:", e)
	}
	return wrong, nil
}

func share(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

// row judges the logs of a kind.
func (s *settings) row(k kind) (*row, error) {
	r := new(row)
	for i := range s.logs {
		log, err := generate(s.rng(k, i), k, s.lines)
		if err != nil {
			return nil, err
		}
		for w := range ways {
			o, err := judge(text(log.lines), w)
			if err != nil {
				return nil, err
			}
			count(&r.found[w], o.found)
			count(&r.open[w], o.open)
			count(&r.undone[w], o.undone)
			for _, text := range o.wrong {
				r.wrong = append(r.wrong, fmt.Sprintf("%v, log %d: %s", k, i, text))
			}
		}
	}
	return r, nil
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// rng returns the numbers that make a log.
func (s *settings) rng(k kind, log int) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, uint64(k)<<32|uint64(log)))
}

// times prints what both ways take for long logs without races.
func (s *settings) times(w io.Writer) error {
	fmt.Fprintf(w, "Seconds for a log without a race, reading included, the least of %d.\n\n", s.rounds)
	fmt.Fprintln(w, "| lines | happens-before | sections, too | ratio |")
	fmt.Fprintln(w, "| --: | --: | --: | --: |")
	for _, lines := range []int{10_000, 100_000} {
		var seconds [ways][]float64
		log, err := generate(s.rng(none, 0), none, lines)
		if err != nil {
			return err
		}
		for range s.rounds {
			for way := range ways {
				o, err := judge(text(log.lines), way)
				if err != nil {
					return err
				}
				seconds[way] = append(seconds[way], o.seconds)
			}
		}
		before, all := slices.Min(seconds[happensBefore]), slices.Min(seconds[sections])
		fmt.Fprintf(w, "| %d | %.3f | %.3f | %.2f |\n", lines, before, all, all/before)
	}
	return nil
}
