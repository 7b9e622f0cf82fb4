//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// recording prints what it costs to keep a trace with what the usual built-in properties need,
// beside a trace that is kept without: by this antichain, or by another one, in turn.
func recording(args []string) error {
	flags := selecting("recording", "rows whose names match this `pattern`")
	against := flags.String("against", "", "beside run -o of the executable in this `file`; default beside --builtin none")
	flags.canBeShort("few operations: to see that everything works")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	defer b.remove()
	other := []string{b.path("antichain"), "run", "-o", b.trace}
	if *against == "" {
		other = append(other, "--builtin", "none")
	} else if other[0], err = filepath.Abs(*against); err != nil {
		return err
	}
	this := []string{b.path("antichain"), "run", "-o", b.trace}
	t := table{"run -o", "operations", "ns/operation, other", "this", "ratio", "seconds, other", "this", "ratio", "bytes/operation, other", "this", "ratio"}.start()
	err = eachRow(rows, nameOf, flags.pattern, func(r *row) error {
		r.n = max(r.n/flags.divide(), 1)
		costs, err := b.recordings(*r, *flags.count, other, this)
		if err != nil {
			return err
		}
		cells := []string{r.title, fmt.Sprint(r.n)}
		for _, get := range []func(kept) float64{func(k kept) float64 { return k.own }, func(k kept) float64 { return k.total }, func(k kept) float64 { return k.bytes / float64(r.n) }} {
			x, y := middle(costs[0], get), middle(costs[1], get)
			cells = append(cells, number(x), number(y), ratio(y, x))
		}
		t.add(cells...)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("Medians of %d, interleaved.\n\n%s", *flags.count, t)
	return nil
}

// kept is what it took to keep a trace.
type kept struct {
	sample
	bytes float64 // of the trace
}

func middle(all []kept, get func(kept) float64) float64 {
	var values []float64
	for _, k := range all {
		values = append(values, get(k))
	}
	return median(values)
}

// recordings runs a row with each of the commands, in turn.
func (b *bench) recordings(r row, count int, commands ...[]string) ([][]kept, error) {
	all := make([][]kept, len(commands))
	for range count {
		for i, words := range commands {
			if err := os.Remove(b.trace); err != nil && !errors.Is(err, os.ErrNotExist) {
				return nil, err // an older antichain takes a trace of a newer one for none
			}
			cmd := exec.Command(words[0], append(words[1:len(words):len(words)], program, r.name, fmt.Sprint(r.n))...)
			cmd.Dir = b.module()
			s, said, err := sampleOf(cmd)
			if err != nil {
				return nil, err
			}
			if strings.Contains(said, "lost") || strings.Contains(said, "violated (") {
				return nil, fmt.Errorf("records are missing, or worse:\n%s", said)
			}
			info, err := os.Stat(b.trace)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], kept{s, float64(info.Size())})
		}
	}
	return all, nil
}
