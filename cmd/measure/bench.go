//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/checkout"
	"github.com/antichain-go/antichain/tracer/event"
)

// bench holds the built programs.
type bench struct {
	root, dir string
	trace     string // file to write traces to
	antichain string // the executable, if it was given
}

// newBench builds antichain and the plain programs. The traced ones are built by antichain as the
// user's would be, before each run; only that fills Go's build cache.
func newBench() (*bench, error) { return builtBench((*bench).buildAntichain, (*bench).buildPrograms) }

// newCommandBench builds antichain alone.
func newCommandBench() (*bench, error) { return builtBench((*bench).buildAntichain) }

func builtBench(builds ...func(*bench) error) (*bench, error) {
	b, err := newDir()
	if err != nil {
		return nil, err
	}
	for _, build := range builds {
		if err := build(b); err != nil {
			b.remove()
			return nil, err
		}
	}
	return b, nil
}

// newDir returns a place for programs.
func newDir() (*bench, error) {
	root, err := checkout.Root(context.Background())
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "measure-")
	if err != nil {
		return nil, err
	}
	return &bench{root: root, dir: dir, trace: filepath.Join(dir, "trace.bin")}, nil
}

// module is the directory of the nested module, in which commands about its programs run.
func (b *bench) module() string { return filepath.Join(b.root, "cmd/measure") }

// program is a package of the nested module.
const program = "./testdata/rows"

func (b *bench) buildPrograms() error {
	for _, args := range [][]string{
		{"-o", b.path("plain"), program},
		{"-race", "-o", b.path("race"), program},
	} {
		if err := goBuild(b.module(), args...); err != nil {
			return err
		}
	}
	return nil
}

// buildAntichain builds the executable that is measured.
func (b *bench) buildAntichain() error {
	return goBuild(b.root, "-o", b.path("antichain"), "./cmd/antichain")
}

// goBuild runs go build in a directory.
func goBuild(dir string, args ...string) error {
	cmd := exec.Command("go", append([]string{"build"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) remove() {
	if err := os.RemoveAll(b.dir); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
	}
}

// command is what a user types for a variant.
func (b *bench) command(v variant, args ...string) *exec.Cmd {
	var words []string
	switch v {
	case plain:
		words = []string{b.path("plain")}
	case race:
		words = []string{b.path("race")}
	case traced:
		words = []string{b.path("antichain"), "run", "--builtin", "none", "-o", b.trace, program}
	case withSpec:
		words = []string{b.path("antichain"), "run", "--builtin", "none", "--spec", "testdata/rows.tl", program}
	case builtins:
		words = []string{b.path("antichain"), "run", program}
	case live:
		words = []string{b.path("antichain"), "run", "--live", "--builtin", "none", "--spec", "testdata/live.tl", program}
	}
	cmd := exec.Command(words[0], append(words[1:], args...)...)
	cmd.Dir = b.module()
	cmd.Env = environ(v)
	return cmd
}

// environ is the environment in which a variant runs.
func environ(v variant) []string {
	if v == race {
		// It would sleep for a second at the end, which says nothing about its cost, and mind a
		// race of an example.
		return append(os.Environ(), "GORACE=atexit_sleep_ms=0 exitcode=0")
	}
	return os.Environ()
}

// row measures one row, the variants in turn.
func (b *bench) row(r row, of []variant, count, divide int) (result, error) {
	r.n = max(r.n/divide, 1)
	measured := result{row: r}
	for range count {
		for _, v := range of {
			s, err := b.sample(v, r)
			if err != nil {
				return measured, fmt.Errorf("%s: %w", variantNames[v], err)
			}
			measured.samples[v] = append(measured.samples[v], s)
		}
	}
	return measured, nil
}

func (b *bench) sample(v variant, r row) (sample, error) {
	s, said, err := sampleOf(b.command(v, r.name, fmt.Sprint(r.n)))
	if err != nil {
		return sample{}, err
	}
	if err := lossless(v, said); err != nil {
		return sample{}, err
	}
	if v == traced {
		n, err := countEvents(b.trace)
		if err != nil {
			return sample{}, err
		}
		s.perEach = float64(n) / float64(r.n)
	}
	return s, nil
}

// sampleOf runs a command that runs the program. It returns what the command says, too.
func sampleOf(cmd *exec.Cmd) (s sample, said string, err error) {
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Start(); err != nil {
		return s, "", err
	}
	watch := newWatch(cmd.Process.Pid)
	err = cmd.Wait()
	ended := time.Now()
	seen := watch.end()
	if err != nil {
		return s, "", fmt.Errorf("%w\n%s", err, &stderr)
	}
	begun, served, err := s.read(&out)
	if err != nil {
		return s, "", fmt.Errorf("output of the program: %w", err)
	}
	s.memory, s.watched, s.served.meanwhile = seen.mib, seen.between(begun, ended), seen.between(begun, served)
	s.total = ended.Sub(begun).Seconds()
	return s, stderr.String(), nil
}

// read reads what the program prints: when it began, and what it measured, each a line of a name
// and a number. A server also says when it had served the last request.
func (s *sample) read(out io.Reader) (begun, served time.Time, err error) {
	times := map[string]*time.Time{"begun": &begun, "served": &served}
	numbers := map[string]*float64{"ns/op": &s.own, "cpu/op": &s.cpu, "p99": &s.served.p99, "client/op": &s.served.client, "requests": &s.served.requests}
	for {
		var name, value string
		_, err := fmt.Fscanln(out, &name, &value)
		switch at, number := times[name], numbers[name]; {
		case errors.Is(err, io.EOF) && !begun.IsZero() && s.own > 0:
			return begun, served, nil
		case err != nil:
			return begun, served, err
		case at != nil:
			nanoseconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return begun, served, err
			}
			*at = time.Unix(0, nanoseconds)
		case number != nil:
			if *number, err = strconv.ParseFloat(value, 64); err != nil {
				return begun, served, err
			}
		default:
			return begun, served, fmt.Errorf("nothing is called %q", name)
		}
	}
}

// lossless checks that antichain said what it says after a run of which nothing is missing.
func lossless(v variant, stderr string) error {
	want := map[variant]string{
		traced: "nothing was checked", withSpec: "every property holds", live: "every property holds",
		builtins: "no built-in property is violated",
	}[v]
	if !strings.Contains(stderr, want) || strings.Contains(stderr, "lost") || strings.Contains(stderr, "lacks") {
		return fmt.Errorf("events are missing, or worse:\n%s", stderr)
	}
	return nil
}

// countEvents counts the events of a trace.
func countEvents(path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := event.Open(f, path)
	if err != nil {
		return 0, err
	}
	var e event.Event
	for err = r.Next(&e); err == nil; err = r.Next(&e) {
		n++
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
	}
	return n, nil
}
