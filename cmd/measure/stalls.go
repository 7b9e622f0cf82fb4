//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// stallWay is a way to run the program that notes when it stands still.
type stallWay struct {
	name  string
	words []string // before the arguments
}

func (b *bench) stallWays(other string) []stallWay {
	var ways []stallWay
	add := func(executable, suffix string) {
		for _, flags := range []string{"", "--builtin all", "--memory 256M"} {
			name := strings.TrimSpace("antichain run " + flags)
			ways = append(ways, stallWay{name + suffix, slices.Concat([]string{executable, "run"}, strings.Fields(flags), []string{stallProgram})})
		}
	}
	ways = append(ways, stallWay{"plain", []string{b.path("stalls")}})
	add(b.path("antichain"), "")
	if other != "" {
		add(other, ", other")
	}
	return ways
}

const stallProgram = "./testdata/stalls"

var stallTable = table{"stalls of more than 1 ms", "operations", "how many", "ms, median", "p99", "longest", "seconds in all"}

// stalls prints for how long a program stands still that does nothing but operations, without the
// time in which other programs had its processor.
func stalls(args []string) error {
	flags := selecting("stalls", "ways whose names match this `pattern`")
	flags.canBeShort("few operations: to see that everything works")
	against := flags.String("against", "", "also with the antichain in this `file`")
	if err := flags.parse(args); err != nil {
		return err
	}
	other := *against
	if other != "" {
		var err error
		if other, err = filepath.Abs(other); err != nil {
			return err
		}
	}
	b, err := newCommandBench()
	if err != nil {
		return err
	}
	defer b.remove()
	if err := goBuild(b.module(), "-o", b.path("stalls"), stallProgram); err != nil {
		return err
	}
	fmt.Printf("All of %d runs, interleaved.\n\n", *flags.count)
	return b.stalls(b.stallWays(other), flags.pattern, 5_000_000/flags.divide(), *flags.count)
}

// stalls runs the program in the ways that match, in turn.
func (b *bench) stalls(ways []stallWay, only *regexp.Regexp, n, count int) error {
	ways = slices.DeleteFunc(ways, func(w stallWay) bool { return !only.MatchString(w.name) })
	gaps := make([][]float64, len(ways))
	for range count {
		for i, w := range ways {
			more, err := b.stallsOnce(w, n)
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			gaps[i] = append(gaps[i], more...)
		}
	}
	t := stallTable.start()
	for i, w := range ways {
		t.add(append([]string{w.name, fmt.Sprint(n * count)}, distribution(gaps[i])...)...)
	}
	flush(t)
	return nil
}

// stallsOnce returns the milliseconds of each stall. What antichain says of the run, and its exit
// code, is no matter.
func (b *bench) stallsOnce(w stallWay, n int) ([]float64, error) {
	cmd := exec.Command(w.words[0], append(slices.Clone(w.words[1:]), fmt.Sprint("-n=", n))...)
	cmd.Dir = b.module()
	out, failed := cmd.Output()
	var nanoseconds []float64
	if err := json.Unmarshal(out, &nanoseconds); err != nil {
		return nil, fmt.Errorf("%w, %v", err, failed)
	}
	for i := range nanoseconds {
		nanoseconds[i] /= 1e6
	}
	return nanoseconds, nil
}

// distribution returns how many values there are, their median, what one in a hundred exceeds, the
// longest, and the sum in thousands.
func distribution(values []float64) []string {
	if len(values) == 0 {
		return []string{"0", "-", "-", "-", "0"}
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return []string{fmt.Sprint(len(values)), number(median(values)), number(percentile(values, 0.99)), number(slices.Max(values)), number(sum / 1000)}
}
