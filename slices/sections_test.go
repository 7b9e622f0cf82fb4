package slices_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/slices"
)

// sectioned are traces with few causes but those of locks.
var sectioned = santest.Config{Tasks: 4, Spawns: 1, Steps: 24, Frames: -1, Values: -1, Joints: 5, Causes: 8, Ends: -1}

// TestSectionsClose compares the least valid slice above each one with what enumeration gives.
func TestSectionsClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := santest.Rapid(t)
		tr := santest.WithLocks(src, santest.Generate(src, sectioned))
		if src.Intn(2) == 0 {
			santest.Overwrite(src, tr)
		}
		w := &world{Lattice: slices.NewLattice(tr.MustBuild()), trace: tr}
		w.enumerate()
		s := slices.NewSections(w.Lattice)
		renewed := santest.Renewed(tr).MustBuild()
		if !santest.Excludes(renewed, w.Top().Has) {
			t.Fatalf("sections of one lock overlap in\n%s", tr)
		}
		var valid []slices.Ideal
		for _, i := range w.all {
			if santest.Excludes(renewed, i.Has) {
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
			if ok && !santest.Excludes(renewed, closed.Has) {
				t.Fatalf("%v does not respect mutual exclusion in\n%s", closed, tr)
			}
		}
		for _, v := range valid {
			if got, want := s.InRunOrder(v), inRunOrder(renewed, v); got != want {
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
