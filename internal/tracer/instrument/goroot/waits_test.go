//go:build linux && (amd64 || arm64)

package goroot

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// waitRecord is a KindBlock or KindSelect with its payload taken apart.
type waitRecord struct {
	ring.Record
	cases []uint64 // channel + CaseSend
	more  bool     // than are listed
	pcs   []uint64 // all return addresses
}

func newWaiting(r *ring.Record) *waitRecord {
	words := make([]uint64, len(r.Payload)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(r.Payload[8*i:])
	}
	w := &waitRecord{Record: *r, more: words[0]>>ring.CasesMoreShift != 0}
	n := words[0] & (1<<ring.CasesMoreShift - 1)
	w.cases = words[1 : 1+n]
	for _, pc := range append(r.PC[:], words[1+n:]...) {
		if pc != 0 {
			w.pcs = append(w.pcs, pc)
		}
	}
	return w
}

// allows reports whether what w waits for, or decides among, is such an operation on channel c.
func (w *waitRecord) allows(c uint64, send bool) bool {
	if w == nil {
		return false
	}
	op := ring.Op(ring.OpRecv)
	if send {
		op, c = ring.OpSend, c+ring.CaseSend
	}
	if w.Kind == ring.KindBlock && w.Op() != ring.OpSelect {
		return w.Op() == op && w.Addr == c&^ring.CaseSend
	}
	for _, have := range w.cases {
		if have == c {
			return true
		}
	}
	return w.more
}

// history is a run with operations.
type history struct {
	run
	records []ring.Record            // without payload
	waits   map[uint64]*waitRecord   // by index
	by      map[uint64][]ring.Record // context -> records that it takes part in
}

func traceWaits(t *testing.T, procs string, args ...string) *history {
	t.Helper()
	cmd := exec.Command(program(t, "waits"), args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
	return traceHistory(t, cmd)
}

func traceHistory(t *testing.T, cmd *exec.Cmd) *history {
	t.Helper()
	h := &history{waits: map[uint64]*waitRecord{}, by: map[uint64][]ring.Record{}}
	h.run = trace(t, ring.Options{Operations: true}, func(r *ring.Record) {
		if r.Kind == ring.KindBlock || r.Kind == ring.KindSelect || r.Kind == ring.KindMisuse {
			h.waits[r.Index] = newWaiting(r)
		}
		rec := *r
		rec.Payload = nil
		h.records = append(h.records, rec)
		h.by[r.Ctx] = append(h.by[r.Ctx], rec)
		if r.Kind == ring.KindHandoff {
			h.by[r.Aux] = append(h.by[r.Aux], rec)
		}
	}, cmd)
	if !h.id.Operations {
		t.Error("the program does not say that it tells operations")
	}
	return h
}

func (h *history) count(k ring.Kind) (n int) {
	for _, r := range h.records {
		if r.Kind == k {
			n++
		}
	}
	return n
}

// Situations of testdata/waits, with the comment at the line where they wait or decide.
func situations(t *testing.T) (names []string, lines map[string]string) {
	src, err := os.ReadFile("testdata/waits/main.go")
	if err != nil {
		t.Fatal(err)
	}
	lines = map[string]string{}
	begin := regexp.MustCompile(`^\t"([a-z/]+)": func\(\) \{`)
	comment := regexp.MustCompile(`// ((?:block|select).*)$`)
	for i, line := range strings.Split(string(src), "\n") {
		if m := begin.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
		if m := comment.FindStringSubmatch(line); m != nil {
			lines[names[len(names)-1]] = fmt.Sprint(i+1, " ", m[1])
		}
	}
	return names, lines
}

// describe writes a record in the form of the comments in testdata/waits.
func (w *waitRecord) describe(sym symbols) string {
	what := "select"
	switch {
	case w.Kind == ring.KindBlock:
		what = "block " + w.Op().String()
	case w.Arg == ring.SelectTried:
		what = "select tried"
	case w.Arg == ring.SelectDefault:
		what = "select default"
	}
	return fmt.Sprint(w.line(sym), " ", what)
}

// line is the innermost one in main.go, 0 if there is none.
func (w *waitRecord) line(sym symbols) int {
	for _, pc := range w.pcs {
		if line := sym.caller(pc); line != 0 {
			return line
		}
	}
	return 0
}

// A goroutine that waits records that before, with the object.
func TestWaits(t *testing.T) {
	exe := program(t, "waits")
	sym := readSymbols(t, exe)
	names, lines := situations(t)
	if len(names) < 28 || len(lines) != len(names) {
		t.Fatalf("situations %q, lines %q", names, lines)
	}
	for _, procs := range []string{"1", "4"} {
		for _, name := range names {
			kind, _, _ := strings.Cut(name, "/")
			t.Run(procs+"/"+name, func(t *testing.T) {
				switch kind {
				case "forever":
					for _, end := range []string{"exit", "kill"} {
						testForever(t, sym, traceWaits(t, procs, name, end), end, lines[name])
					}
				case "decided":
					h := traceWaits(t, procs, name)
					testDecided(t, sym, h, lines[name])
					if n := h.count(ring.KindSelect); name == "decided/poll" && n != 10 {
						t.Errorf("%d decisions are recorded, want 10", n)
					}
				default:
					testWoken(t, sym, traceWaits(t, procs, name), lines[name])
				}
			})
		}
	}
}

// testWoken looks for the last wait of main and for what ended it.
func testWoken(t *testing.T, sym symbols, h *history, line string) {
	h.ok(t)
	if h.count(ring.KindStarted) != 1 || h.count(ring.KindLeft) != 1 {
		t.Errorf("%d started, %d left", h.count(ring.KindStarted), h.count(ring.KindLeft))
	}
	main := h.by[1]
	at := len(main) - 1
	for at >= 0 && main[at].Kind != ring.KindBlock {
		at--
	}
	if at < 0 || at+1 == len(main) {
		t.Fatalf("no wait, or nothing behind it: %v", main)
	}
	w, next := h.waits[main[at].Index], main[at+1]
	if got := w.describe(sym); got != line {
		t.Errorf("record %q, want %q", got, line)
	}
	if next.Kind == ring.KindAcquire && next.Op() == ring.OpNone {
		next = main[at+2] // a writer learns in two steps
	}
	switch next.Kind {
	case ring.KindSend:
		if !w.allows(next.Addr, true) {
			t.Errorf("%+v ends the wait %+v", next, w)
		}
	case ring.KindRecv, ring.KindRecvClosed:
		if !w.allows(next.Addr, next.Op() == ring.OpSend) {
			t.Errorf("%+v ends the wait %+v", next, w)
		}
	case ring.KindHandoff:
		if !w.allows(next.Addr, next.Ctx == 1) {
			t.Errorf("%+v ends the wait %+v", next, w)
		}
	case ring.KindAcquire:
		if w.Addr != next.Aux || w.Aux != w.Addr {
			t.Errorf("%+v ends the wait %+v", next, w)
		}
	default:
		t.Errorf("%+v ends a wait", next)
	}
	begun := false
	for _, r := range h.records {
		begun = begun || r.Index == w.Index
		if begun && (r.Ctx != 1 || r.Kind == ring.KindHandoff) &&
			(r.Aux == w.Addr || r.Addr == w.Addr || w.Op() == ring.OpSelect) {
			return
		}
	}
	t.Error("the other goroutine came before the wait")
}

// testForever looks for a goroutine whose last record is a wait.
func testForever(t *testing.T, sym symbols, h *history, end, line string) {
	left := map[string]int{"exit": 1}[end]
	if h.stats.Missing() != 0 || h.err == nil || h.count(ring.KindLeft) != left {
		t.Errorf("%v, %+v, %d left", h.err, h.stats, h.count(ring.KindLeft))
	}
	found := false
	for ctx, records := range h.by {
		last := records[len(records)-1]
		if ctx == 1 || last.Kind != ring.KindBlock {
			continue
		}
		w := h.waits[last.Index]
		if w.describe(sym) == line {
			found = true
			if w.Addr != 0 && w.Op() == ring.OpRecv && len(w.pcs) != ring.PCs+ring.BlockPCs {
				t.Errorf("%d return addresses", len(w.pcs))
			}
			for _, c := range w.cases {
				if c > ring.CaseSend {
					t.Errorf("channel %x, want nil", c)
				}
			}
		}
	}
	if !found {
		t.Errorf("nobody waits at the end as %q", line)
	}
}

// testDecided looks for the last decision of main and for its case.
func testDecided(t *testing.T, sym symbols, h *history, line string) {
	h.ok(t)
	main := h.by[1]
	at := len(main) - 1
	for at >= 0 && main[at].Kind != ring.KindSelect {
		at--
	}
	if at < 0 {
		t.Fatalf("no decision: %v", main)
	}
	w, next := h.waits[main[at].Index], main[at+1]
	if got := w.describe(sym); got != line {
		t.Errorf("record %q, want %q", got, line)
	}
	if next.Kind == ring.KindTry {
		next = main[at+2] // what it has found the channel to be
	}
	switch {
	case w.Arg == ring.SelectDefault:
		if next.Kind != ring.KindLeft {
			t.Errorf("%+v follows the default", next)
		}
	case next.Kind == ring.KindSend && w.allows(next.Addr, true):
	case (next.Kind == ring.KindRecv || next.Kind == ring.KindRecvClosed) &&
		w.allows(next.Addr, next.Op() == ring.OpSend):
	default:
		t.Errorf("%+v follows %+v", next, w)
	}
}

// Where many goroutines meet: of two that hand something over exactly one has waited for it, a case
// of a select statement is one of those it had, and who waits for a WaitGroup does so while its
// counter is not zero.
func TestWaitsUnderLoad(t *testing.T) {
	for _, procs := range []string{"1", "2", "4"} {
		h := traceWaits(t, procs, "stress")
		h.ok(t)
		last := map[uint64]*waitRecord{} // of a context, if its last record is one
		counters := map[uint64]int64{}
		kinds := map[ring.Kind]int{}
		for _, r := range h.records {
			kinds[r.Kind]++
			switch r.Kind {
			case ring.KindHandoff:
				s, v := last[r.Ctx], last[r.Aux]
				sent := s.allows(r.Addr, true) && s.Kind == ring.KindBlock
				received := v.allows(r.Addr, false) && v.Kind == ring.KindBlock
				if sent == received {
					t.Fatalf("%+v: sender waited: %v, receiver waited: %v", r, sent, received)
				}
				if r.Op() == ring.OpSelect && !(s.allows(r.Addr, true) && v.allows(r.Addr, false)) {
					t.Fatalf("%+v is a case of %+v and %+v", r, s, v)
				}
			case ring.KindMark, ring.KindReleaseMerge:
				if op := r.Op(); op == ring.OpAdd || op == ring.OpDone {
					if counters[r.Addr] += r.Delta(); counters[r.Addr] < 0 || (op == ring.OpAdd) != (r.Delta() > 0) {
						t.Fatalf("%+v makes a counter %d", r, counters[r.Addr])
					}
				}
			case ring.KindBlock:
				if r.Op() == ring.OpWait && counters[r.Addr] == 0 {
					t.Fatalf("%+v waits for a counter that is 0", r)
				}
			case ring.KindAcquire:
				if r.Op() == ring.OpWait && counters[r.Addr] != 0 {
					t.Fatalf("%+v has waited for a counter that is %d", r, counters[r.Addr])
				}
				if w := last[r.Ctx]; w != nil && r.Op() != ring.OpNone && w.Addr != r.Aux {
					t.Fatalf("%+v ends %+v", r, w)
				}
			}
			if r.Op() != ring.OpNone || r.Kind != ring.KindAcquire {
				last[r.Ctx] = h.waits[r.Index]
			}
			if r.Kind == ring.KindHandoff {
				last[r.Aux] = nil
			}
		}
		if kinds[ring.KindHandoff] < 1000 || kinds[ring.KindBlock] < 500 || kinds[ring.KindSelect] < 100 {
			t.Errorf("GOMAXPROCS=%s: kinds %v", procs, kinds)
		}
	}
}

// Programs without requested operations have no such records.
func TestNoOperations(t *testing.T) {
	trace(t, ring.Options{}, func(r *ring.Record) {
		if r.Kind >= ring.KindBlock && r.Kind != ring.KindTry || r.Op() == ring.OpSignal && r.Delta() != 0 {
			t.Errorf("record %+v", r)
		}
	}, exec.Command(program(t, "waits"), "stress")).ok(t)
}
