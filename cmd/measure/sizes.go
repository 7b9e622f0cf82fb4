//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// source is a program that makes a trace of at least a million events.
type source struct {
	title string
	dir   string   // of the module with the program, from the root of the repository
	args  []string // of antichain, behind run and -o TRACE
}

// The formulas are quick to check: what is measured is how events get there.
var sources = []source{
	{"workers, calls and values", ".", []string{"-e", "initially: t:(not in.deliver or result > 0)", "./examples/workers", "-jobs", "300000"}},
	{"HTTP server, operations, calls and values", "cmd/measure", []string{"--func", "hello", program, "http", "60000"}},
	{"HTTP server, calls and values", "cmd/measure", []string{"-e", `initially: t:(not in.hello or path == "")`, program, "http", "200000"}},
}

// sizes measures traces and the nets that are built from them.
func (b *bench) sizes(count int) (string, error) {
	t := table{"trace", "events", "bytes an event", "net: million events/s", "net: bytes an event in memory", "antichain check: million events/s"}.start()
	for _, s := range sources {
		if err := b.size(t, s, count); err != nil {
			return "", fmt.Errorf("%s: %w", s.title, err)
		}
	}
	return t.String(), nil
}

func (b *bench) size(t *tableText, s source, count int) error {
	cmd := exec.Command(b.path("antichain"), append([]string{"run", "-o", b.trace}, s.args...)...)
	cmd.Dir = filepath.Join(b.root, s.dir)
	if out, err := cmd.CombinedOutput(); exitCode(err) > 1 { // 1: the property is violated
		return fmt.Errorf("%w\n%s", err, out)
	}
	converted, err := b.convert()
	if err != nil {
		return err
	}
	n, err := countEvents(converted)
	if err != nil {
		return err
	}
	info, err := os.Stat(converted)
	if err != nil {
		return err
	}
	var speeds, memories, checks []float64
	for range count {
		took, memory, err := buildNet(converted)
		if err != nil {
			return err
		}
		speeds = append(speeds, float64(n)/took.Seconds()/1e6)
		memories = append(memories, memory/float64(n))
		if took, err = b.check(converted); err != nil {
			return err
		}
		checks = append(checks, float64(n)/took.Seconds()/1e6)
	}
	t.add(s.title, fmt.Sprint(n), number(float64(info.Size())/float64(n)),
		number(median(speeds)), number(median(memories)), number(median(checks)))
	return nil
}

// exitCode is that of a command; one that did not run counts as broken.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return 4
}

// convert takes the trace to text and back.
func (b *bench) convert() (string, error) {
	text, binary := b.path("trace.jsonl"), b.path("converted.bin")
	for _, args := range [][]string{{"-o", text, b.trace}, {"-o", binary, text}} {
		if out, err := exec.Command(b.path("antichain"), append([]string{"convert"}, args...)...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("antichain convert: %w\n%s", err, out)
		}
	}
	return binary, os.Remove(text)
}

// buildNet reads a trace on one processor. It returns how long that took and the memory
// of the net.
func buildNet(path string) (took time.Duration, memory float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	before := heap()
	start := time.Now()
	net, err := readNet(f, path)
	took = time.Since(start)
	if err != nil {
		return 0, 0, err
	}
	memory = heap() - before
	runtime.KeepAlive(net)
	return took, memory, nil
}

func readNet(f io.Reader, path string) (*san.Net, error) {
	r, err := event.Open(f, path)
	if err != nil {
		return nil, err
	}
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	builder, err := san.NewBuilder(h)
	if err != nil {
		return nil, err
	}
	var e event.Event
	for err = r.Next(&e); err == nil; err = r.Next(&e) {
		if err := builder.Add(&e, ""); err != nil {
			return nil, err
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return builder.Finish()
}

// heap is the memory in use.
func heap() float64 {
	runtime.GC()
	runtime.GC() // finalizers of the first one have run
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// check times antichain check with a formula that any trace can be asked.
func (b *bench) check(path string) (time.Duration, error) {
	cmd := exec.Command(b.path("antichain"), "check", "-e", "initially: t:(true)", path)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); exitCode(err) > 1 {
		return 0, fmt.Errorf("antichain check: %w\n%s", err, out)
	}
	return time.Since(start), nil
}
