//go:build linux && (amd64 || arm64)

package goroot

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// The last record of a goroutine that fails says why, and names the object.
func TestMisuse(t *testing.T) {
	exe := program(t, "misuse")
	sym := readSymbols(t, exe)
	src, err := os.ReadFile("testdata/misuse/main.go")
	if err != nil {
		t.Fatal(err)
	}
	begin := regexp.MustCompile(`^\t"([a-z]+)": func\(\) \{`)
	comment := regexp.MustCompile(`// misuse (\d)(?: (\w+))?$`)
	name, tested := "", 0
	for i, line := range strings.Split(string(src), "\n") {
		if m := begin.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if m := comment.FindStringSubmatch(line); m != nil {
			tested++
			t.Run(name, func(t *testing.T) { testMisuse(t, sym, exe, name, i+1, m[1], m[2]) })
		}
	}
	if tested < 15 {
		t.Errorf("%d situations", tested)
	}
}

func testMisuse(t *testing.T, sym symbols, exe, name string, line int, what, object string) {
	h := traceHistory(t, exec.Command(exe, name))
	if h.err == nil || h.stats.Missing() != 0 || h.count(ring.KindMisuse) != 1 || h.count(ring.KindLeft) != 0 {
		t.Fatalf("%v, %+v, %d misuses, %d left", h.err, h.stats, h.count(ring.KindMisuse), h.count(ring.KindLeft))
	}
	main := h.by[1]
	last := main[len(main)-1]
	if last.Kind != ring.KindMisuse || fmt.Sprint(last.Arg) != what {
		t.Fatalf("last record %+v, want misuse %s", last, what)
	}
	if at := h.waits[last.Index].line(sym); at != line {
		t.Errorf("at line %d, want %d", at, line)
	}
	// The object is the one that the records before it are about.
	if object == "" {
		return
	}
	before := main[len(main)-2]
	seen := before.Aux
	if object == "channel" {
		seen = before.Addr
	}
	if last.Addr != seen || last.Aux != last.Addr {
		t.Errorf("object %x, and %+v before it", last.Addr, before)
	}
}

// Timers, signals, the amounts of a WaitGroup, and Signals without a waiter.
func TestOutside(t *testing.T) {
	exe := program(t, "outside")
	src, err := os.ReadFile("testdata/outside/main.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, line := range strings.Split(string(src), "\n") {
		code, comment, ok := strings.Cut(line, "// ")
		if ok && i > 10 && strings.TrimSpace(code) != "" && !strings.HasPrefix(comment, "none") {
			want = append(want, comment)
		}
	}
	h := traceHistory(t, exec.Command(exe))
	h.ok(t)
	channels := map[uint64]bool{} // that were made
	objects := map[uint64]bool{}  // what timers are known by
	for _, r := range h.by[1] {
		what := fmt.Sprint(r.Kind, " ", r.Op(), " ", r.Delta())
		switch {
		case r.Kind == ring.KindMakeChan:
			channels[r.Addr] = true
			continue
		case r.Kind == ring.KindOutside:
			what = fmt.Sprint(r.Kind, " ", r.Arg)
			if !channels[r.Addr] {
				t.Errorf("%s of %x, which is no channel", what, r.Addr)
			}
		case r.Op() == ring.OpTimer && r.Kind == ring.KindRelease:
			objects[r.Aux] = true
			if !channels[r.Aux] && r.Aux != r.Addr {
				t.Errorf("%s of %x, which is no channel", what, r.Aux)
			}
		case r.Op() == ring.OpStop:
			if !objects[r.Aux] {
				t.Errorf("%s of %x, which is no timer", what, r.Aux)
			}
		case !slices.Contains([]ring.Op{ring.OpAdd, ring.OpDone, ring.OpSignal, ring.OpBroadcast}, r.Op()):
			continue
		}
		got = append(got, what)
	}
	buffered, drained := map[uint64]int{}, 0
	for _, r := range h.records {
		switch {
		case r.Kind == ring.KindSend && objects[r.Addr]:
			buffered[r.Addr]++
		case r.Kind == ring.KindRecv && objects[r.Addr]:
			buffered[r.Addr]--
			drained += int(1 - min(r.Op(), 1))
		case r.Op() == ring.OpTimer:
			objects[r.Aux] = true
		}
	}
	for c, n := range buffered {
		if n != 0 {
			t.Errorf("channel %x of a timer holds %d values", c, n)
		}
	}
	if drained == 0 {
		t.Error("no value of a timer was dropped")
	}
	if !slices.Equal(got, want) {
		t.Errorf("records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
