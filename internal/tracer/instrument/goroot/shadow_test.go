//go:build linux && (amd64 || arm64)

package goroot

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// ranges runs testdata/ranges.
func ranges(t *testing.T, exe, mode string, seed int, f func(*ring.Record)) run {
	t.Helper()
	r := trace(t, ring.Options{Accesses: true}, f, exec.Command(exe, mode, strconv.Itoa(seed)))
	r.ok(t)
	return r
}

func buildRanges(t *testing.T) string {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	return withMemory(t, "ranges", "-gcflags="+InstrumentMemory, "-ldflags=-w -checklinkname=0")
}

// TestRangeConflicts compares the conflicts that a program reports, whose shadow has uniform and
// separate pages, with those between the accesses to each word in a map. After a dropped access the
// next write reports that there was one.
func TestRangeConflicts(t *testing.T) {
	exe := buildRanges(t)
	certain, dropped := 0, 0
	for seed := 0; seed < 100 && (certain < 1000 || dropped < 20); seed++ {
		m := newWordModel()
		ranges(t, exe, "random", seed, m.add)
		for c := range m.told {
			if !m.possible[c] {
				t.Errorf("seed %d: %v is told, and there are no such accesses to one byte", seed, c)
			}
		}
		for c := range m.certain {
			if !m.told[c] {
				t.Errorf("seed %d: %v is not told", seed, c)
			}
		}
		for c := range m.latest {
			switch {
			case m.told[c], m.told[conflict{c.first, c.then, true, c.thenWrite}]:
				// what it wrote at that moment can cover what it read
			case m.overwrites[c.then]:
				dropped++
			default:
				t.Errorf("seed %d: nothing is told of %v", seed, c)
			}
		}
		certain += len(m.certain)
	}
	if certain < 1000 || dropped < 20 {
		t.Errorf("%d conflicts in all, and %d with what was dropped, want more to compare", certain, dropped)
	}
}

// TestRangesTogether has goroutines touch the same pages at the same time: by ranges, which keep a
// page uniform, and by words and parts, which split it. None of their accesses may be lost on the
// way.
func TestRangesTogether(t *testing.T) {
	exe := buildRanges(t)
	var at uint64
	var seen map[uint64]bool
	pages, missed := 0, 0
	check := func() {
		if pages++; len(seen) != 3 {
			missed++
		}
	}
	ranges(t, exe, "together", 1, func(r *ring.Record) {
		switch {
		case r.Kind == ring.KindStmt:
			if seen != nil {
				check()
			}
			at, seen = r.Addr, map[uint64]bool{}
		case r.Kind == ring.KindWrite && r.Addr == at:
			seen[binary.LittleEndian.Uint64(r.Payload)>>ring.MomentShift] = true
		}
	})
	check()
	if pages != 10_000 || missed > 0 {
		t.Errorf("%d pages, in %d of which not all of three conflicts are told", pages, missed)
	}
}

// A word has room for four, and what it drops is chance. So of a page, on which each word does so
// for itself, hardly any reader is forgotten by all.
func TestRangeCrowd(t *testing.T) {
	exe := buildRanges(t)
	seen := map[uint64]bool{}
	buffer := uint64(0)
	ranges(t, exe, "crowd", 0, func(r *ring.Record) {
		switch {
		case r.Kind == ring.KindStmt:
			buffer = r.Addr
		case r.Kind == ring.KindWrite && buffer <= r.Addr && r.Addr < buffer+512 && r.Arg&ring.AccessOverwrites == 0:
			seen[binary.LittleEndian.Uint64(r.Payload)>>ring.MomentShift] = true
		}
	})
	if len(seen) != 8 {
		t.Errorf("conflicts with %d readers are told, want all 8", len(seen))
	}
}

// Copying large buffers takes little more memory than the buffers.
func TestLargeRanges(t *testing.T) {
	exe := buildRanges(t)
	out := ranges(t, exe, "large", 0, func(*ring.Record) {}).stdout
	for s := bufio.NewScanner(strings.NewReader(out)); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(rest, "kB")))
			if err != nil || kb > 200<<10 {
				t.Errorf("%d kB of memory for two buffers of 64 MiB, %v", kb, err)
			}
			return
		}
	}
	t.Errorf("no VmHWM in %q", out)
}

// The garbage collector takes no tables of the hooks for something to scan: the heap could grow by
// as much.
func TestMemoryHeapGoal(t *testing.T) {
	out := ranges(t, buildRanges(t), "heap", 0, func(*ring.Record) {}).stdout
	if goal, err := strconv.Atoi(out); err != nil || goal > 8<<20 {
		t.Errorf("the heap is collected when it has %q bytes, want 4 MiB, as without tracing", out)
	}
}

// conflict is two accesses to something, the first one first.
type conflict struct {
	first, then           uint64 // moments
	firstWrite, thenWrite bool
}

func (c conflict) String() string {
	say := func(moment uint64, write bool) string {
		return fmt.Sprintf("%d/%d (write %v)", moment>>ring.MomentShift, moment&(1<<ring.MomentShift-1), write)
	}
	return say(c.first, c.firstWrite) + " before " + say(c.then, c.thenWrite)
}

// wordModel is what the program remembers of each word, in the plainest way.
type wordModel struct {
	counts  map[uint64]uint64 // records, of each context
	base    uint64            // of the buffer
	words   map[int]*word     // by offset / 8
	told    map[conflict]bool
	certain map[conflict]bool // must be reported
	// may be reported: where a word has more accesses than room, it is chance which
	possible map[conflict]bool

	// of writes with accesses that no later one stands for: must be reported, or known to be
	// dropped
	latest     map[conflict]bool
	overwrites map[uint64]bool // moments of writes over what was dropped
}

type word struct {
	all   []wordAccess // since the memory was allocated
	noted []wordAccess // of these, but for what goroutines have done at the same moment already
	cells []wordAccess // those that are remembered, the latest first
	full  bool         // there have been more of them than room
}

type wordAccess struct {
	moment uint64
	kind   int // which is also where it is
	bytes  uint8
}

func (a wordAccess) ctx() uint64 { return a.moment >> ring.MomentShift }

func (a wordAccess) write() bool { return a.kind%2 == 1 }

func (a wordAccess) conflicts(c wordAccess) bool {
	return a.ctx() != c.ctx() && (a.write() || c.write()) && a.bytes&c.bytes != 0
}

// covers reports whether who conflicts with c later conflicts with a as well.
func (a wordAccess) covers(c wordAccess) bool {
	return c.bytes&^a.bytes == 0 && (a.write() || a.ctx() == c.ctx() && !c.write())
}

func (a wordAccess) same(c wordAccess) bool { return a.moment == c.moment && a.kind == c.kind }

func newWordModel() *wordModel {
	return &wordModel{
		map[uint64]uint64{}, 0, map[int]*word{}, map[conflict]bool{}, map[conflict]bool{}, map[conflict]bool{},
		map[conflict]bool{}, map[uint64]bool{},
	}
}

func (m *wordModel) moment(ctx uint64) uint64 { return ctx<<ring.MomentShift | m.counts[ctx] }

func (m *wordModel) add(r *ring.Record) {
	switch r.Kind {
	case ring.KindFree, ring.KindCtxStart, ring.KindThreadStart:
		return
	case ring.KindRead, ring.KindWrite:
		if r.Arg&ring.AccessOverwrites != 0 {
			m.overwrites[m.moment(r.Ctx)] = true
		} else if m.base <= r.Addr && r.Addr < m.base+1<<12 {
			word := func(i int) uint64 { return binary.LittleEndian.Uint64(r.Payload[8*i:]) }
			m.told[conflict{word(0), m.moment(r.Ctx), word(1)&ring.AccessWrites != 0, r.Kind == ring.KindWrite}] = true
		}
		return
	case ring.KindHandoff:
		m.counts[r.Aux]++
	}
	m.counts[r.Ctx]++
	if r.Kind == ring.KindStmt {
		m.base = r.Addr
		for i := range int(r.Aux) {
			field := func(k int) int { return int(binary.LittleEndian.Uint16(r.Payload[6*i+2*k:])) }
			m.operate(r.Ctx, field(0), field(1), field(2))
		}
	}
}

// operate does an operation of testdata/ranges.
func (m *wordModel) operate(ctx uint64, kind, off, n int) {
	const forget = 4
	for end := off + n; off < end; off = off&^7 + 8 {
		if kind == forget {
			delete(m.words, off/8)
			continue
		}
		a := wordAccess{moment: m.moment(ctx), kind: kind}
		for i := off; i < min(end, off&^7+8); i++ {
			a.bytes |= 1 << (i % 8)
		}
		if m.words[off/8] == nil {
			m.words[off/8] = &word{}
		}
		m.access(m.words[off/8], a)
	}
}

func (m *wordModel) access(w *word, a wordAccess) {
	for _, c := range w.all {
		if a.conflicts(c) {
			m.possible[conflict{c.moment, a.moment, c.write(), a.write()}] = true
		}
	}
	w.all = append(w.all, a)
	if w.knows(a) {
		return
	}
	for i, c := range w.noted {
		if a.write() && w.left(a, i).conflicts(c) {
			m.latest[conflict{c.moment, a.moment, c.write(), true}] = true
		}
	}
	w.noted = append(w.noted, a)
	for i, c := range w.cells {
		left := a.bytes
		for _, own := range w.cells[:i] {
			if own.ctx() == a.ctx() && (own.write() || c.write()) {
				left &^= own.bytes
			}
		}
		a := wordAccess{a.moment, a.kind, left}
		if a.conflicts(c) && !w.full {
			m.certain[conflict{c.moment, a.moment, c.write(), a.write()}] = true
		}
	}
	for _, c := range w.cells {
		if a.same(c) {
			a.bytes |= c.bytes
		}
	}
	w.cells = slices.DeleteFunc(w.cells, func(c wordAccess) bool { return a.same(c) || a.covers(c) })
	w.cells = slices.Insert(w.cells, 0, a)
	w.full = w.full || len(w.cells) > 4
}

// left is a write to those bytes for which no access behind the i-th one stands for that, or has
// met it already.
func (w *word) left(a wordAccess, i int) wordAccess {
	c := w.noted[i]
	for _, later := range w.noted[i+1:] {
		stands := later.write() || later.ctx() == c.ctx() && !c.write()
		if met := later.ctx() == a.ctx() && c.write(); stands || met {
			a.bytes &^= later.bytes
		}
	}
	return a
}

// knows reports whether the goroutine did the same at the same moment. The hooks for single
// values only look at one cell, or two.
func (w *word) knows(a wordAccess) bool {
	looked := w.cells
	switch a.kind {
	case 2:
		looked = looked[:min(2, len(looked))]
	case 3:
		looked = looked[:min(1, len(looked))]
	}
	return slices.ContainsFunc(looked, func(c wordAccess) bool {
		return c.moment == a.moment && a.bytes&^c.bytes == 0 && (c.write() || !a.write())
	})
}
