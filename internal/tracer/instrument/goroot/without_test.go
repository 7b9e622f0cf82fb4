//go:build linux && (amd64 || arm64)

package goroot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// resultsEnv names a file of results that are there already and need not be found again. New ones
// are added to it.
const resultsEnv = "ANTICHAIN_RESULTS"

// resultsFile is a table of results, one a line: what was done, a tab, and the result.
type resultsFile struct {
	name  string
	known map[string]string
}

func readResults(t *testing.T) *resultsFile {
	r := &resultsFile{name: os.Getenv(resultsEnv), known: map[string]string{}}
	f, err := os.Open(r.name)
	if err != nil {
		return r
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, result, ok := strings.Cut(lines.Text(), "\t"); ok {
			r.known[key] = result
		}
	}
	return r
}

// get returns the result of key, which do finds if it is not known.
func (r *resultsFile) get(t *testing.T, key string, do func() string) string {
	t.Helper()
	if result, ok := r.known[key]; ok {
		return result
	}
	result := strings.Join(strings.Fields(do()), " ")
	r.known[key] = result
	if r.name == "" {
		return result
	}
	f, err := os.OpenFile(r.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s\t%s\n", key, result)
	return result
}

// Whatever capability is left out, programs are built and run to their end, and the self test finds
// nothing else that does not work. It takes hours: with ANTICHAIN_LONG only.
func TestSelfTestWithout(t *testing.T) {
	if os.Getenv(longEnv) == "" {
		t.Skipf("takes hours; set %s=1", longEnv)
	}
	programs := [][]string{
		{"noraces"}, {"races"}, {"reuse"}, {"child"}, {"sites"}, {"load", "4", "5000"}, {"accesses", "1"},
		{"steer", "order"},
		{"waits", "mutex"}, {"waits", "reflect"}, {"waits", "stress"},
	}
	results := readResults(t)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, c := range append([]*capability{{name: ""}}, capabilities...) {
		row := []string{c.name}
		built := once(func() (*reducedOverlay, error) { return newWithoutOne(t, c.name) })
		add := func(what string, do func(b *reducedOverlay) error) {
			result := results.get(t, fmt.Sprintf("%s | %s | %s", ReleaseOf(goroot()).Name, c.name, what),
				func() string {
					b, err := built()
					if err == nil {
						err = do(b)
					}
					if err != nil {
						return "FAILED: " + err.Error()
					}
					return "ok"
				})
			if result != "ok" {
				t.Errorf("without %q, %s: %s", c.name, what, result)
			}
			row = append(row, what+" "+strings.SplitN(result, ":", 2)[0])
		}
		add("self test", (*reducedOverlay).selfTest)
		add("arm64", func(b *reducedOverlay) error { return b.buildFor("arm64") })
		for _, p := range programs {
			add(strings.Join(p, " "), func(b *reducedOverlay) error { return b.run(t, p) })
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	t.Log("\n" + table.String())
}

// once calls f once.
func once[T any](f func() (T, error)) func() (T, error) {
	var value T
	var err error
	done := false
	return func() (T, error) {
		if !done {
			value, err = f()
			done = true
		}
		return value, err
	}
}

// reducedOverlay is an overlay without a capability.
type reducedOverlay struct {
	dir, json string
	opt       Options
	overlay   *Overlay
}

func newWithoutOne(t *testing.T, name string) (*reducedOverlay, error) {
	b := &reducedOverlay{dir: t.TempDir()}
	if name != "" {
		b.opt.Without = map[string]error{name: errors.New("for a test")}
	}
	var err error
	if b.overlay, err = Write(filepath.Join(b.dir, "overlay"), goroot(), b.opt); err != nil {
		return nil, err
	}
	b.json, err = writeOverlay(b.dir, b.overlay)
	return b, err
}

func (b *reducedOverlay) selfTest() error {
	ctx := context.Background()
	info, err := Toolchain{}.info(ctx)
	if err != nil {
		return err
	}
	broken, _, err := b.overlay.selfTest(ctx, Toolchain{}, info, false)
	if err == nil && len(broken) > 0 {
		err = fmt.Errorf("broken: %v", broken)
	}
	return err
}

// buildFor only builds the program of the self test, for another architecture.
func (b *reducedOverlay) buildFor(arch string) error {
	tc := Toolchain{Env: append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")}
	dir := filepath.Join(b.dir, arch)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if _, output, err := b.overlay.buildSelfTest(context.Background(), tc, dir); err != nil {
		return fmt.Errorf("%w %s", err, output)
	}
	return nil
}

// run builds a program of testdata and runs it, untraced and traced.
func (b *reducedOverlay) run(t *testing.T, command []string) error {
	exe := filepath.Join(b.dir, command[0])
	out, err := exec.Command("go", "build", "-overlay", b.json, "-gcflags="+CallAtomics, "-ldflags=-w", "-o", exe,
		"./testdata/"+command[0]).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w %s", err, out)
	}
	start := func() (*exec.Cmd, context.CancelFunc) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		return exec.CommandContext(ctx, exe, command[1:]...), cancel
	}
	cmd, cancel := start()
	defer cancel()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("untraced: %w %s", err, out)
	}
	for _, operations := range []bool{false, true} {
		cmd, cancel := start()
		defer cancel()
		c := newChecker()
		r := trace(t, ring.Options{Operations: operations}, c.add, cmd)
		if r.err != nil || r.stats.Missing() != 0 {
			return fmt.Errorf("%w, %d records are missing: %s", r.err, r.stats.Missing(), r.stdout)
		}
		// Only what gives order can show false races by its lack.
		order := slices.ContainsFunc(b.overlay.Lacks, func(l Lack) bool { return l.Order })
		if command[0] == "noraces" && !order && len(c.races) > 0 {
			return fmt.Errorf("false races %q", c.races)
		}
	}
	return nil
}
