//go:build unix

// Package orders measures whether antichain run --explore all runs all orders of random programs:
// beside all orders that a program has, as trying all interleavings shows, and those of many runs
// in which goroutines yield to others at random.
package orders

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/internal/ordertest"
)

// settings are the command line.
type settings struct {
	programs, most, walks int
	seed                  uint64
	antichain             string // the executable; "": one is built
}

func parse(args []string) (*settings, error) {
	s := new(settings)
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.IntVar(&s.programs, "n", 200, "programs")
	flags.IntVar(&s.most, "most", 24, "orders of a program at most")
	flags.IntVar(&s.walks, "walks", 5000, "runs of each in which goroutines yield to others")
	flags.Uint64Var(&s.seed, "seed", 1, "of the programs")
	flags.StringVar(&s.antichain, "antichain", "", "use the executable in this `file`; default one that is built")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if s.programs < 1 || s.most < 2 || s.walks < 1 || flags.NArg() > 0 {
		return nil, errors.New("-n and -walks must be at least 1, -most at least 2, and no arguments follow the flags")
	}
	return s, nil
}

// Run measures programs, and prints what is not as it ought to be, and sums.
func Run(args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "orders-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{settings: s, dir: dir}
	if err := b.build(ctx); err != nil {
		return err
	}
	var all sums
	for i, p := range b.programs {
		one, err := b.measure(ctx, i, p)
		if ctx.Err() != nil {
			break // the sums so far are shown
		}
		if err != nil {
			return fmt.Errorf("program %d: %w", i, err)
		}
		if why := one.fault(); why != "" {
			fmt.Fprintf(w, "program %d: %s\n%s\n", i, why, p.Source(i))
			all.faults++
		}
		all.add(one)
		fmt.Fprintf(os.Stderr, "orders: program %d: %s\n", i, one.said)
	}
	all.write(w)
	if all.faults > 0 {
		return fmt.Errorf("%d programs have a fault", all.faults)
	}
	return nil
}

// bench is a temporary module with a package that has all programs.
type bench struct {
	*settings
	dir, antichain string
	programs       []*ordertest.Program
}

func (b *bench) build(ctx context.Context) (err error) {
	if b.antichain, err = reported.Executable(ctx, b.settings.antichain, b.dir); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(b.seed, 0))
	files := map[string]string{"go.mod": "module orders\n\ngo 1.26\n", "main.go": ordertest.Main(b.settings.programs)}
	for i := range b.settings.programs {
		p := ordertest.Draw(random, b.most)
		b.programs = append(b.programs, p)
		files[fmt.Sprintf("program%d.go", i)] = p.Source(i)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", "walks", ".")
	build.Dir = b.dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// measured is what is known of a program.
type measured struct {
	known, walked, explored map[string]bool
	atomics                 bool   // it has operations that are no choice of --explore all
	counted                 int    // the orders that antichain counts
	runs                    int    // that it made
	complete                bool   // as it says
	said                    string // its last words on orders
}

// limits are what a program takes at most; the first one builds the traced standard library.
var limits = reported.Limits{Program: 10 * time.Minute, Check: time.Minute}

func (b *bench) measure(ctx context.Context, i int, p *ordertest.Program) (*measured, error) {
	m := &measured{known: p.Orders(), atomics: p.Has(ordertest.AddToAtomic)}
	walked, explored := fmt.Sprintf("walked%d", i), fmt.Sprintf("explored%d", i)
	walk := exec.Command("./walks", strconv.Itoa(i), walked, strconv.Itoa(b.walks))
	walk.Dir = b.dir
	if out, err := reported.Finish(ctx, walk, limits); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	explore := exec.Command(b.antichain,
		"run", "--explore", "all", "--stop-at", "never", ".", strconv.Itoa(i), explored)
	explore.Dir = b.dir
	out, err := reported.Finish(ctx, explore, limits)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	if err := m.read(string(out)); err != nil {
		return nil, err
	}
	if m.walked, err = b.orders(walked); err != nil {
		return nil, err
	}
	m.explored, err = b.orders(explored)
	return m, err
}

var (
	saysRuns   = regexp.MustCompile(`(?m)^antichain: ([0-9]+) runs?`)
	saysOrders = regexp.MustCompile(`(?m)^antichain: (?:(all|not complete:) )?([0-9]+) orders? .*$`)
)

// read reads what antichain says of its runs.
func (m *measured) read(out string) error {
	runs, orders := saysRuns.FindStringSubmatch(out), saysOrders.FindStringSubmatch(out)
	if runs == nil || orders == nil {
		return fmt.Errorf("antichain says: %s", out)
	}
	m.runs, _ = strconv.Atoi(runs[1])
	m.counted, _ = strconv.Atoi(orders[2])
	m.complete, m.said = orders[1] == "all", orders[0]
	return nil
}

// orders reads the orders in a file.
func (b *bench) orders(name string) (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	all := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		all[strings.TrimSpace(line)] = true
	}
	return all, err
}

// fault says what is not as it ought to be, "" if nothing is.
func (m *measured) fault() string {
	for _, c := range []struct {
		name string
		part map[string]bool
		of   string
		all  map[string]bool
	}{
		{"an order of a walk", m.walked, "those of the language", m.known},
		{"an order that was explored", m.explored, "those of the language", m.known},
		{"an order of a walk", m.walked, "those that were explored", m.explored},
		{"an order of the language", m.known, "those that were explored", m.explored},
	} {
		for order := range c.part {
			if !c.all[order] {
				return fmt.Sprintf("%s is not among %s: %s; %s", c.name, c.of, order, m.said)
			}
		}
	}
	switch {
	case m.counted != len(m.known):
		return fmt.Sprintf("it has %d orders; %s", len(m.known), m.said)
	case m.complete == m.atomics:
		return "complete, or not, for no reason: " + m.said
	}
	return ""
}

// sums are those of all programs.
type sums struct {
	programs, faults, orders, explored, walked, runs, complete int
}

func (s *sums) add(m *measured) {
	s.programs++
	s.orders += len(m.known)
	s.explored += len(m.explored)
	s.walked += len(m.walked)
	s.runs += m.runs
	if m.complete {
		s.complete++
	}
}

func (s *sums) write(w io.Writer) {
	fmt.Fprintf(w, "%d programs with %d orders; --explore all ran %d of them in %d runs, and says of %d programs that "+
		"these are all; random walks showed %d; %d programs with a fault\n",
		s.programs, s.orders, s.explored, s.runs, s.complete, s.walked, s.faults)
}
