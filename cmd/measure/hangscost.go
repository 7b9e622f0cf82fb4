//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// heapUse is what the program with a large heap took.
type heapUse struct{ seconds, cpu, collections float64 }

// rounds of the program take about a minute.
const heapRounds = 12_000

// costOfWatch compares what a program with a large heap takes with the watch and without it. Both
// report the same operations: the program's own processor time says what the watch costs it.
func (b *bench) costOfWatch(flags *selection) error {
	ways := []struct {
		name  string
		flags []string
	}{
		{"without the watch", []string{"--builtin", "deadlock,closed,waitgroup,unlock,panic"}},
		{"with it", []string{"--builtin", "deadlock,stuck,closed,waitgroup,unlock,panic"}},
	}
	used := make([][]heapUse, len(ways))
	for range *flags.count {
		for i, w := range ways {
			u, err := b.useHeap(w.flags)
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			used[i] = append(used[i], u)
		}
	}
	fmt.Printf("Medians of %d, interleaved: a heap of 500 MB, 100,000 goroutines that wait.\n\n", *flags.count)
	t := table{"run", "seconds", "/ without", "CPU seconds", "/ without", "collections"}.start()
	of := func(way int, get func(heapUse) float64) float64 {
		var all []float64
		for _, u := range used[way] {
			all = append(all, get(u))
		}
		return median(all)
	}
	wall := func(u heapUse) float64 { return u.seconds }
	cpu := func(u heapUse) float64 { return u.cpu }
	for i, w := range ways {
		t.add(w.name, seconds(of(i, wall)), fmt.Sprintf("%.3f", of(i, wall)/of(0, wall)),
			seconds(of(i, cpu)), fmt.Sprintf("%.3f", of(i, cpu)/of(0, cpu)),
			number(of(i, func(u heapUse) float64 { return u.collections })))
	}
	flush(t)
	return nil
}

// useHeap runs the program.
func (b *bench) useHeap(flags []string) (u heapUse, err error) {
	args := append([]string{"run"}, flags...)
	cmd := exec.Command(b.executable(), append(args, "./testdata/hangs/heap", fmt.Sprint(heapRounds))...)
	cmd.Dir = b.module()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || strings.Contains(stderr.String(), "lost") {
		return u, fmt.Errorf("%w\n%s", err, &stderr)
	}
	_, err = fmt.Sscanf(string(out), "seconds %g\ncpu %g\ncollections %g\n", &u.seconds, &u.cpu, &u.collections)
	return u, err
}
