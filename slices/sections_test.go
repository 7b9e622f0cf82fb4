package slices_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// sectioned are traces with few causes but those of locks.
var sectioned = santest.Config{Tasks: 4, Spawns: 1, Steps: 24, Frames: -1, Values: -1, Joints: 5, Causes: 8, Ends: -1}

// overwrite makes some new locks overwrite others. Sections that are open then do not end in the
// trace.
func overwrite(src santest.Source, tr santest.Trace) {
	for _, e := range tr.Events {
		if (e.Op == "unlock" || e.Op == "runlock") && src.Intn(4) == 0 {
			e.Op, e.Obj = "", ""
		}
	}
}

// renewed returns a copy of a trace that renames each overwritten lock from where a new one
// replaces it: where a section begins although an open one excludes it.
func renewed(tr santest.Trace) santest.Trace {
	type state struct{ times, writers, readers int }
	locks := map[string]*state{}
	copied := santest.Trace{Header: tr.Header}
	for _, e := range tr.Events {
		e = e.Clone()
		copied.Events = append(copied.Events, e)
		l := locks[e.Obj]
		if l == nil {
			l = new(state)
			locks[e.Obj] = l
		}
		if e.Op == "lock" && l.writers+l.readers > 0 || e.Op == "rlock" && l.writers > 0 {
			*l = state{times: l.times + 1}
		}
		switch e.Op {
		case "lock":
			l.writers++
		case "rlock":
			l.readers++
		case "unlock":
			l.writers = 0
		case "runlock":
			l.readers = max(l.readers-1, 0)
		}
		if e.Obj != "" {
			e.Obj = fmt.Sprint(e.Obj, l.times)
		}
	}
	return copied
}

// TestSectionsClose compares the least valid slice above each one with what enumeration gives.
func TestSectionsClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		tr := santest.WithLocks(src, santest.Generate(src, sectioned))
		if src.Intn(2) == 0 {
			overwrite(src, tr)
		}
		w := &world{Lattice: slices.NewLattice(tr.MustBuild()), trace: tr}
		w.enumerate()
		s := slices.NewSections(w.Lattice)
		fresh := renewed(tr).MustBuild()
		if !santest.Excludes(fresh, w.Top().Has) {
			t.Fatalf("sections of one lock overlap in\n%s", tr)
		}
		var valid []slices.Ideal
		for _, i := range w.all {
			if santest.Excludes(fresh, i.Has) {
				valid = append(valid, i)
			}
		}
		for _, i := range w.all {
			least, found := w.Top(), false
			for _, v := range valid {
				if i.Leq(v) {
					least, found = least.Meet(v), true
				}
			}
			closed, ok := s.Closure(i)
			if ok != found || ok && !closed.Equal(least) {
				t.Fatalf("above %v is %v, %v; want %v, %v in\n%s", i, closed, ok, least, found, tr)
			}
			if ok && !santest.Excludes(fresh, closed.Has) {
				t.Fatalf("%v does not respect mutual exclusion in\n%s", closed, tr)
			}
		}
		for _, v := range valid {
			if got, want := s.InRunOrder(v), inRunOrder(fresh, v); got != want {
				t.Fatalf("%v in run order: %v, want %v in\n%s", v, got, want, tr)
			}
			if order := s.Schedule(v); len(order) != v.Size() {
				t.Fatalf("schedule of %v: %v", v, order)
			}
		}
	})
}

// inRunOrder reports whether the sections that come in the run before one in a slice, and exclude
// it, are in the slice with their ends.
func inRunOrder(net *san.Net, i slices.Ideal) bool {
	type begun struct {
		reads, ended bool
		release      san.Action
		acquire      san.Action
	}
	all := map[string][]*begun{}
	count := make([]int32, net.Tasks())
	ok := true
	for _, t := range net.Recorded(0) {
		count[t]++
		a := san.Action{Task: t, K: count[t]}
		info := net.Event(a)
		switch info.Op {
		case "lock", "rlock":
			b := &begun{reads: info.Op == "rlock", acquire: a}
			if i.Has(a) {
				for _, before := range all[info.Obj] {
					if (!before.reads || !b.reads) && !(before.ended && i.Has(before.release)) {
						ok = false
					}
				}
			}
			all[info.Obj] = append(all[info.Obj], b)
		case "unlock", "runlock":
			var open *begun
			for _, b := range all[info.Obj] {
				if !b.ended && b.reads == (info.Op == "runlock") && (open == nil || b.acquire.Task == t) {
					open = b
				}
			}
			if open != nil {
				open.ended, open.release = true, a
			}
		}
	}
	return ok
}
