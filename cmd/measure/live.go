//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"time"
)

// slowdown prints how much slower programs are that are checked while they run.
func slowdown(args []string) error {
	flags := selecting("live", "rows whose names match this `pattern`")
	flags.canBeShort("few operations: to see that everything works")
	if err := flags.parse(args); err != nil {
		return err
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	defer b.remove()
	fmt.Printf("Medians of %d, interleaved.\n\n", *flags.count)
	t := liveTable.start()
	flush(t)
	return eachRow(liveRows, nameOf, flags.pattern, func(r *row) error {
		measure := b.row
		if r.name == workers.name {
			measure = b.workers
		}
		measured, err := measure(*r, []variant{plain, live, race}, *flags.count, flags.divide())
		if err != nil {
			return err
		}
		t.add(measured.liveCells()...)
		flush(t)
		return nil
	})
}

// workers is an example that can be given more to do.
var workers = row{"workers", "examples/workers, a job", 300_000}

var liveRows = []row{
	{"http", "HTTP round trip, keep-alive", 20_000},
	{"load", "HTTP server, 16 clients", 40_000},
	workers,
	{"chan", "unbuffered channel, there and back", 1_000_000},
	{"contended", "Mutex, two goroutines", 4_000_000},
	{"waitgroup", "go, Done, Wait", 300_000},
}

var liveTable = table{"ns an operation", "plain", "--live", "-race", "--live / plain", "--live / race", "target", "met"}

func (r *result) liveCells() []string {
	base, checked, detector := r.median(plain, own), r.median(live, own), r.median(race, own)
	met := "no"
	if checked < detector {
		met = "yes"
	}
	return []string{r.title, number(base), number(checked), number(detector), ratio(checked, base), ratio(checked, detector), "< -race", met}
}

// workers measures the example, which does not look at the clock itself: how much longer the
// command takes with many jobs than with few.
func (b *bench) workers(r row, of []variant, count, divide int) (result, error) {
	r.n = max(r.n/divide, 1)
	measured := result{row: r}
	commands := [variants][]string{
		plain: {b.path("workers")},
		race:  {b.path("workers-race")},
		live:  {b.path("antichain"), "run", "--live", "--builtin", "none", "-e", "t:(not in.deliver or result >= 0)", "./examples/workers"},
	}
	for _, args := range [][]string{{}, {"-race"}} {
		out := commands[plain][0]
		if len(args) > 0 {
			out = commands[race][0]
		}
		if err := goBuild(b.root, append(args, "-o", out, "./examples/workers")...); err != nil {
			return measured, err
		}
	}
	for range count {
		for _, v := range of {
			var took [2]time.Duration
			for i, n := range []int{1, r.n} {
				var err error
				if took[i], err = b.time(v, append(commands[v], "-jobs", fmt.Sprint(n))); err != nil {
					return measured, fmt.Errorf("%s: %w", variantNames[v], err)
				}
			}
			measured.samples[v] = append(measured.samples[v], sample{own: float64((took[1] - took[0]).Nanoseconds()) / float64(r.n)})
		}
	}
	return measured, nil
}

// again is how often an example is given another try in which its fault, a panic, has happened.
const again = 20

// time runs a command of an example.
func (b *bench) time(v variant, words []string) (took time.Duration, err error) {
	for range again {
		if took, err = b.timeOnce(v, words); exitCode(err) != 2 {
			break
		}
	}
	return took, err
}

func (b *bench) timeOnce(v variant, words []string) (time.Duration, error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = b.root
	cmd.Env = environ(v)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return time.Since(begin), lossless(v, stderr.String())
}
