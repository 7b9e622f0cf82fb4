//go:build unix

// Package histories measures how histories are decided beside Porcupine, on Porcupine's test data.
package histories

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/linearizability/jepsen"
)

// group is a table's row: histories of one kind.
type group struct {
	name  string
	files string // a pattern
	first linearizability.Value
}

var groups = []group{
	{"Jepsen's etcd, a register with compare-and-swap", "jepsen/etcd_*.log", nil},
	{"key-value store, 1 client", "kv/c01-*.txt", ""},
	{"key-value store, 10 clients", "kv/c10-*.txt", ""},
	{"key-value store, 50 clients", "kv/c50-*.txt", ""},
}

// Run prints a table. It is an error if a verdict is wrong.
func Run(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("linearizability", flag.ContinueOnError)
	limit := flags.Duration("limit", time.Minute, "give up on a history after this `duration`")
	rounds := flags.Int("n", 5, "measure so often; the least counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *rounds < 1 {
		return errors.New("-n must be at least 1, and no arguments follow the flags")
	}
	dir, err := testData()
	if err != nil {
		return err
	}
	known, err := knownVerdicts(filepath.Join(dir, "porcupine_test.go"))
	if err != nil {
		return err
	}
	m := &measurement{known: known, limit: *limit, rounds: *rounds}
	fmt.Fprintln(w, "| histories | number | right | undecided | wrong | processor time beside Porcupine's "+
		"| allocated beside | longest | Porcupine's |")
	fmt.Fprintln(w, "| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
	wrong := 0
	for _, g := range groups {
		r, err := m.group(g, dir)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, r)
		wrong += r.wrong
	}
	if wrong > 0 {
		return fmt.Errorf("%d verdicts are wrong", wrong)
	}
	return nil
}

// testData returns where Porcupine's module is.
func testData() (string, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine")
	list.Dir, list.Stderr = filepath.Join("cmd", "measure"), os.Stderr
	out, err := list.Output()
	return strings.TrimSpace(string(out)), err
}

var expectation = regexp.MustCompile(`checkJepsen\(t, (\d+), (true|false)\)`)

// knownVerdicts returns the verdicts that Porcupine's tests want, by the name of the file.
func knownVerdicts(tests string) (map[string]bool, error) {
	src, err := os.ReadFile(tests)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, m := range expectation.FindAllStringSubmatch(string(src), -1) {
		known[fmt.Sprintf("etcd_%03s.log", m[1])] = m[2] == "true"
	}
	for _, clients := range []string{"01", "10", "50"} {
		known["c"+clients+"-ok.txt"], known["c"+clients+"-bad.txt"] = true, false
	}
	return known, nil
}

type measurement struct {
	known  map[string]bool
	limit  time.Duration
	rounds int
}

// row sums up a group.
type row struct {
	name                    string
	n, right, open, wrong   int
	logTime, logBytes       float64 // sums of logarithms of ratios
	compared                int
	longest, longestOfOther time.Duration
}

func (r *row) String() string {
	mean := func(sum float64) string {
		if r.compared == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", math.Exp(sum/float64(r.compared)))
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s | %v | %v |", r.name, r.n, r.right, r.open, r.wrong,
		mean(r.logTime), mean(r.logBytes), r.longest.Round(time.Microsecond), r.longestOfOther.Round(time.Microsecond))
}

func (m *measurement) group(g group, dir string) (*row, error) {
	r := &row{name: g.name}
	files, err := filepath.Glob(filepath.Join(dir, "test_data", g.files))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there is no %s in %s: %v", g.files, dir, err)
	}
	for _, name := range files {
		want, ok := m.known[filepath.Base(name)]
		if !ok {
			continue // a run that failed: Porcupine's tests leave it out
		}
		if err := m.file(r, name, g.first, want); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// file decides a history in both ways.
func (m *measurement) file(r *row, name string, first linearizability.Value, want bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	ops, err := jepsen.Read(f, name)
	if err != nil {
		return err
	}
	var result *linearizability.Result
	ours := m.measure(func() {
		ctx, stop := context.WithTimeout(context.Background(), m.limit)
		defer stop()
		result, err = linearizability.Check(ctx, linearizability.Register(first), ops)
	})
	if err != nil {
		return err
	}
	model, history := forPorcupine(first, ops)
	var other porcupine.CheckResult
	theirs := m.measure(func() { other = porcupine.CheckOperationsTimeout(model, history, m.limit) })
	r.n++
	switch {
	case result.Verdict == linearizability.Undecided:
		r.open++
	case (result.Verdict == linearizability.Linearizable) == want:
		r.right++
	default:
		r.wrong++
	}
	r.longest = max(r.longest, ours.time)
	r.longestOfOther = max(r.longestOfOther, theirs.time)
	if other != porcupine.Unknown && ours.time > 0 && theirs.time > 0 && result.Verdict != linearizability.Undecided {
		r.compared++
		r.logTime += math.Log(float64(ours.time) / float64(theirs.time))
		r.logBytes += math.Log(float64(ours.bytes) / float64(theirs.bytes))
	}
	return nil
}

// cost is what a decision took.
type cost struct {
	time  time.Duration // of the processor
	bytes uint64        // allocated
}

// processorTime returns what this process has taken.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it cannot fail for this process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measure returns the least that some work took. Long work is done once.
func (m *measurement) measure(work func()) cost {
	least := cost{time: math.MaxInt64, bytes: math.MaxUint64}
	for range m.rounds {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := processorTime()
		work()
		took := processorTime() - begin
		runtime.ReadMemStats(&after)
		least.time = min(least.time, took)
		least.bytes = min(least.bytes, after.TotalAlloc-before.TotalAlloc)
		if took > time.Second {
			break
		}
	}
	return least
}
