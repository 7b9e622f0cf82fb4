package interleaving

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// at is a marked place.
func at(n int, v program.Value) *program.Stmt { return &program.Stmt{Op: program.Mark, N: n, Value: v} }

// in has the value of variable A.
var inA = program.Value{Var: program.A}

// goes starts a goroutine.
func goes(body ...*program.Stmt) *program.Stmt {
	return &program.Stmt{Op: program.Go, Object: -1, Body: body}
}

// on is an operation on an object.
func on(op program.Op, object int) *program.Stmt { return &program.Stmt{Op: op, Object: object} }

func send(c, v int) *program.Stmt {
	return &program.Stmt{Op: program.Send, Object: c, Value: program.Const(v)}
}

// gets is an operation with a result in variable A.
func gets(op program.Op, object int) *program.Stmt {
	return &program.Stmt{Op: op, Object: object, Dst: program.A}
}

// write writes a byte.
func write(o, v int) *program.Stmt {
	return &program.Stmt{Op: program.StreamWrite, Object: o, Value: program.Const(v)}
}

// reads reads at most n bytes, and keeps the last one in variable A.
func reads(o, n int) *program.Stmt {
	return &program.Stmt{Op: program.StreamRead, Object: o, Dst: program.A, N: n}
}

func when(v int, body ...*program.Stmt) *program.Stmt {
	return &program.Stmt{Op: program.If, Value: inA, N: v, Body: body}
}

// known are programs with what they can reach: places are written mark:value.
var known = []struct {
	name    string
	objects []program.Object
	main    []*program.Stmt
	pairs   string // sorted
	places  string
	fails   string
}{
	{
		"independent", nil,
		[]*program.Stmt{goes(at(0, program.Const(0)), at(1, program.Const(1))), goes(at(2, program.Const(0)))},
		"0:0-2:0 1:1-2:0", "0:0 1:1 2:0", "",
	},
	{
		"first in, first out", []program.Object{{Kind: program.Chan, N: 2}},
		[]*program.Stmt{send(0, 1), send(0, 2), goes(at(0, program.Const(0)), gets(program.Recv, 0), at(1, inA)), goes(gets(program.Recv, 0), at(2, inA))},
		"0:0-2:1 1:1-2:2 1:2-2:1", "0:0 1:1 1:2 2:1 2:2", "",
	},
	{
		"bytes", []program.Object{{Kind: program.Stream, N: program.TCP}},
		[]*program.Stmt{
			goes(write(0, 1), at(0, program.Const(0)), write(0, 2), on(program.StreamClose, 0), write(0, 3)),
			goes(reads(0, 2), at(1, inA), reads(0, 2), at(2, inA)),
		},
		"0:0-1:1", "0:0 1:1 1:2 2:0 2:2", "",
	},
	{
		"unbuffered", []program.Object{{Kind: program.Chan}},
		[]*program.Stmt{goes(at(0, program.Const(0)), send(0, 7), at(1, program.Const(0))), goes(at(2, program.Const(0)), gets(program.Recv, 0), at(3, inA))},
		"0:0-2:0 1:0-3:7", "0:0 1:0 2:0 3:7", "",
	},
	{
		"closed", []program.Object{{Kind: program.Chan, N: 1}},
		[]*program.Stmt{goes(at(0, program.Const(0)), on(program.Close, 0)), goes(gets(program.Recv, 0), at(1, inA)), goes(at(2, program.Const(0)), send(0, 5))},
		"0:0-1:5 0:0-2:0 1:0-2:0", "0:0 1:0 1:5 2:0", "send on closed channel",
	},
	{
		"default although somebody will come", []program.Object{{Kind: program.Chan}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.Select, Default: true, Cases: []program.Case{{Send: true, Object: 0, Value: program.Const(1), Body: []*program.Stmt{at(0, program.Const(1))}}}, Else: []*program.Stmt{at(0, program.Const(0))}}),
			goes(at(2, program.Const(0)), gets(program.Recv, 0), at(1, inA)),
		},
		"0:0-2:0 0:1-1:1", "0:0 0:1 1:1 2:0", "",
	},
	{
		"nobody waits behind a default", []program.Object{{Kind: program.Chan}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.Select, Default: true, Cases: []program.Case{{Send: true, Object: 0, Value: program.Const(1), Body: []*program.Stmt{at(0, program.Const(1))}}}}),
			goes(&program.Stmt{Op: program.Select, Default: true, Cases: []program.Case{{Object: 0, Dst: program.A, Body: []*program.Stmt{at(1, inA)}}}}),
		},
		"", "", "",
	},
	{
		"Mutex", []program.Object{{Kind: program.Mutex}},
		[]*program.Stmt{
			goes(on(program.Lock, 0), at(0, program.Const(0)), on(program.Unlock, 0), at(1, program.Const(0))),
			goes(on(program.Lock, 0), at(2, program.Const(0)), on(program.Unlock, 0), at(3, program.Const(0))),
		},
		"0:0-3:0 1:0-2:0 1:0-3:0", "0:0 1:0 2:0 3:0", "",
	},
	{
		"TryLock", []program.Object{{Kind: program.Mutex}},
		[]*program.Stmt{
			goes(at(0, program.Const(0)), on(program.Lock, 0), at(1, program.Const(0)), on(program.Unlock, 0), at(2, program.Const(0))),
			goes(gets(program.TryLock, 0), at(3, inA)), // and never unlocks
		},
		"0:0-3:1 1:0-3:0 2:0-3:0 2:0-3:1", "0:0 1:0 2:0 3:0 3:1", "",
	},
	{
		"RWMutex", []program.Object{{Kind: program.RWMutex}},
		[]*program.Stmt{
			goes(on(program.RLock, 0), at(0, program.Const(0)), on(program.RUnlock, 0)),
			goes(on(program.RLock, 0), at(1, program.Const(0)), on(program.RUnlock, 0)),
			goes(on(program.Lock, 0), at(2, program.Const(0)), on(program.Unlock, 0), goes(at(3, program.Const(0)))),
		},
		"0:0-1:0 0:0-3:0 1:0-3:0", "0:0 1:0 2:0 3:0", "",
	},
	{
		"a writer that waits keeps TryRLock out", []program.Object{{Kind: program.RWMutex}},
		[]*program.Stmt{
			on(program.RLock, 0), goes(on(program.Lock, 0), at(1, program.Const(0))), gets(program.TryRLock, 0), at(0, inA),
		},
		"", "0:0 0:1", "",
	},
	{
		"a writer that waits is where it was", []program.Object{{Kind: program.RWMutex}},
		[]*program.Stmt{
			on(program.RLock, 0), goes(at(1, program.Const(0)), on(program.Lock, 0)), gets(program.TryRLock, 0), when(0, at(0, inA)),
		},
		"0:0-1:0", "0:0 1:0", "",
	},
	{
		"unlocked by another goroutine", []program.Object{{Kind: program.Mutex}},
		[]*program.Stmt{on(program.Lock, 0), at(0, program.Const(0)), goes(at(1, program.Const(0)), on(program.Unlock, 0)), on(program.Lock, 0), at(2, program.Const(0))},
		"", "0:0 1:0 2:0", "",
	},
	{
		"unlocked twice", []program.Object{{Kind: program.Mutex}},
		[]*program.Stmt{on(program.Lock, 0), goes(on(program.Unlock, 0)), goes(on(program.Unlock, 0), at(1, program.Const(0)))},
		"", "1:0", "unlock of unlocked lock",
	},
	{
		"WaitGroup", []program.Object{{Kind: program.WaitGroup}},
		[]*program.Stmt{{Op: program.Go, Object: 0, Body: []*program.Stmt{at(0, program.Const(0))}}, goes(at(2, program.Const(0))), on(program.Wait, 0), at(1, program.Const(0))},
		"0:0-2:0 1:0-2:0", "0:0 1:0 2:0", "",
	},
	{
		"used again too early", []program.Object{{Kind: program.WaitGroup}},
		[]*program.Stmt{
			{Op: program.Add, Object: 0, N: 1}, goes(on(program.Done, 0), &program.Stmt{Op: program.Add, Object: 0, N: 1}, at(1, program.Const(0))), on(program.Wait, 0), at(0, program.Const(0)),
		},
		"0:0-1:0", "0:0 1:0", "WaitGroup is reused before previous Wait has returned",
	},
	{
		"Once", []program.Object{{Kind: program.Once}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.Do, Object: 0, Body: []*program.Stmt{at(0, program.Const(0))}}, at(1, program.Const(0))),
			goes(at(4, program.Const(0)), &program.Stmt{Op: program.Do, Object: 0, Body: []*program.Stmt{at(2, program.Const(0))}}, at(3, program.Const(0))),
		},
		"0:0-4:0 1:0-3:0 1:0-4:0", "0:0 1:0 2:0 3:0 4:0", "",
	},
	{
		"Cond", []program.Object{{Kind: program.Mutex}, {Kind: program.Shared}, {Kind: program.Cond}},
		[]*program.Stmt{
			goes(on(program.Lock, 0), &program.Stmt{Op: program.CondWait, Object: 2, N: 1}, at(0, program.Const(0)), on(program.Unlock, 0)),
			goes(at(1, program.Const(0)), on(program.Lock, 0), &program.Stmt{Op: program.Write, Object: 1, Value: program.Const(1)}, at(2, program.Const(0)), on(program.Signal, 2), on(program.Unlock, 0), at(3, program.Const(0))),
		},
		"0:0-3:0", "0:0 1:0 2:0 3:0", "",
	},
	{
		"stopped timer", []program.Object{{Kind: program.Timer, N: 1}},
		[]*program.Stmt{goes(on(program.Recv, 0), at(0, program.Const(0))), gets(program.Stop, 0), at(1, inA)},
		"0:0-1:0", "0:0 1:0 1:1", "",
	},
	{
		"function of a timer", []program.Object{{Kind: program.Func}},
		[]*program.Stmt{{Op: program.AfterFunc, Object: 0, N: 1, Body: []*program.Stmt{at(0, program.Const(0))}}, gets(program.Stop, 0), at(1, inA)},
		"0:0-1:0", "0:0 1:0 1:1", "",
	},
	{
		"child of a context", []program.Object{{Kind: program.Context}, {Kind: program.Context, Of: 1}},
		[]*program.Stmt{goes(on(program.Recv, 1), gets(program.Err, 0), at(0, inA)), goes(on(program.Recv, 0), gets(program.Err, 1), at(1, inA)), on(program.Cancel, 0)},
		"0:1-1:0 0:1-1:1", "0:1 1:0 1:1", "",
	},
	{
		"function of a context", []program.Object{{Kind: program.Context}, {Kind: program.ContextFunc}},
		[]*program.Stmt{{Op: program.AfterFunc, Object: 1, Body: []*program.Stmt{at(0, program.Const(0))}}, goes(on(program.Cancel, 0), at(2, program.Const(0))), gets(program.Stop, 1), at(1, inA)},
		"0:0-1:0 0:0-2:0 1:0-2:0 1:1-2:0", "0:0 1:0 1:1 2:0", "",
	},
	{
		"sync.Map", []program.Object{{Kind: program.Map}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.MapLoadOrStore, Object: 0, Value: program.Const(1), Dst: program.A}, at(0, inA)),
			goes(&program.Stmt{Op: program.MapLoadOrStore, Object: 0, Value: program.Const(2), Dst: program.A}, at(1, inA)),
		},
		"0:0-1:1 0:1-1:0", "0:0 0:1 1:0 1:1", "",
	},
	{
		"Range sees keys in any order", []program.Object{{Kind: program.Map}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.MapStore, Object: 0, N: 0, Value: program.Const(1)}, &program.Stmt{Op: program.MapStore, Object: 0, N: 1, Value: program.Const(2)}),
			goes(gets(program.MapRange, 0), at(0, inA)),
		},
		"", "0:0 0:11 0:12 0:23", "",
	},
	{
		"CompareAndSwap", []program.Object{{Kind: program.Atomic}},
		[]*program.Stmt{
			goes(&program.Stmt{Op: program.CompareAndSwap, Object: 0, Value: program.Const(1), Dst: program.A}, at(0, inA)),
			goes(at(2, program.Const(0)), &program.Stmt{Op: program.CompareAndSwap, Object: 0, Value: program.Const(1), Dst: program.A}, at(1, inA)),
		},
		"0:0-1:1 0:1-1:0 0:1-2:0", "", "",
	},
	{
		"recovered", []program.Object{{Kind: program.Chan, N: 1}},
		[]*program.Stmt{goes(on(program.Close, 0), at(0, program.Const(0))), goes(&program.Stmt{Op: program.SendRecovered, Object: 0, Value: program.Const(1), Dst: program.A}, at(1, inA))},
		"0:0-1:0 0:0-1:1", "0:0 1:0 1:1", "send on closed channel",
	},
	{
		"recovered, without a receiver", []program.Object{{Kind: program.Chan}},
		[]*program.Stmt{goes(on(program.Close, 0), at(0, program.Const(0))), goes(&program.Stmt{Op: program.SendRecovered, Object: 0, Value: program.Const(1), Dst: program.A}, at(1, inA))},
		"0:0-1:0", "0:0 1:0", "send on closed channel",
	},
	{
		"Pool", []program.Object{{Kind: program.Pool}},
		[]*program.Stmt{goes(at(0, program.Const(0)), &program.Stmt{Op: program.Put, Object: 0, Value: program.Const(3)}), goes(gets(program.Get, 0), at(1, inA))},
		"0:0-1:0", "0:0 1:0 1:3", "",
	},
	{
		"branches", []program.Object{{Kind: program.Atomic}},
		[]*program.Stmt{goes(&program.Stmt{Op: program.Store, Object: 0, Value: program.Const(1)}), goes(gets(program.Load, 0), when(1, at(0, inA)), when(0, at(1, inA)))},
		"", "0:1 1:0", "",
	},
}

// list writes the keys of a set, sorted.
func list[K comparable](set map[K]bool, text func(K) string) string {
	var all []string
	for k := range set {
		all = append(all, text(k))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func (p Place) String() string { return fmt.Sprintf("%d:%d", p.Mark, p.Value) }

func TestKnown(t *testing.T) {
	for _, tt := range known {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Explore(&program.Program{Objects: tt.objects, Main: tt.main}, 10_000)
			if err != nil {
				t.Fatal(err)
			}
			if got := list(r.Pairs, func(p Pair) string { return p[0].String() + "-" + p[1].String() }); got != tt.pairs {
				t.Errorf("pairs %s, want %s", got, tt.pairs)
			}
			if got := list(r.Places, Place.String); tt.places != "" && got != tt.places {
				t.Errorf("places %s, want %s", got, tt.places)
			}
			if got := list(r.Failures, func(f Failure) string { return string(f.Reason) }); got != tt.fails {
				t.Errorf("fails with %q, want %q", got, tt.fails)
			}
		})
	}
}

// Goroutines that wait for each other are stuck together; that one of them can wait there is not
// enough.
func TestStuck(t *testing.T) {
	first, second := on(program.Lock, 1), on(program.Lock, 0)
	r, err := Explore(&program.Program{Objects: []program.Object{{Kind: program.Mutex}, {Kind: program.Mutex}}, Main: []*program.Stmt{
		goes(on(program.Lock, 0), first, on(program.Unlock, 1), on(program.Unlock, 0)),
		goes(on(program.Lock, 1), second, on(program.Unlock, 0), on(program.Unlock, 1)),
	}}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Stuck([]*program.Stmt{first, second}) {
		t.Error("the deadlock is not found")
	}
	other := on(program.Lock, 0)
	r, err = Explore(&program.Program{Objects: []program.Object{{Kind: program.Mutex}}, Main: []*program.Stmt{goes(on(program.Lock, 0), on(program.Unlock, 0)), other}}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if r.Stuck([]*program.Stmt{other}) {
		t.Error("who gets a lock in the end is called stuck")
	}
}

// An Add at zero meets a Wait if nothing orders the two.
func TestAddMeetsWait(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		add, wait := &program.Stmt{Op: program.Add, Object: 0, N: 1}, on(program.Wait, 0)
		body := []*program.Stmt{add, on(program.Done, 0)}
		main := []*program.Stmt{goes(body...), wait}
		if ordered {
			main = []*program.Stmt{add, goes(on(program.Done, 0)), wait}
		}
		r, err := Explore(&program.Program{Objects: []program.Object{{Kind: program.WaitGroup}}, Main: main}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.AddMeetsWait(add, wait); got == ordered {
			t.Errorf("ordered %v: Add meets Wait %v", ordered, got)
		}
	}
}

// Who adds to a WaitGroup between the last Done and the end of it fails, and so does who is done.
func TestReuseInAdd(t *testing.T) {
	for name, again := range map[string]*program.Stmt{"Add": {Op: program.Add, Object: 0, N: 1}, "Go": {Op: program.Go, Object: 0}} {
		done, wait := on(program.Done, 0), on(program.Wait, 0)
		r, err := Explore(&program.Program{Objects: []program.Object{{Kind: program.WaitGroup}}, Main: []*program.Stmt{
			{Op: program.Add, Object: 0, N: 2}, goes(on(program.Done, 0), again), goes(done), wait,
		}}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []*program.Stmt{again, done, wait} {
			if !r.Failures[Failure{Reuse, at}] {
				t.Errorf("%s: %v does not fail", name, at.Op)
			}
		}
		if len(r.Failures) != 3 {
			t.Errorf("%s: %d fail", name, len(r.Failures))
		}
	}
}

// What Go's documentation does not decide is not explored.
func TestRefused(t *testing.T) {
	for name, p := range map[string]*program.Program{
		"data race":       {Objects: []program.Object{{Kind: program.Mutex}, {Kind: program.Shared}}, Main: []*program.Stmt{gets(program.Read, 1)}},
		"nil timer":       {Objects: []program.Object{{Kind: program.Func}}, Main: []*program.Stmt{gets(program.Stop, 0)}},
		"second function": {Objects: []program.Object{{Kind: program.Func}}, Main: []*program.Stmt{{Op: program.AfterFunc, N: 1}, {Op: program.Reset, N: 1}}},
	} {
		if _, err := Explore(p, 1000); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Explore(&program.Program{Main: []*program.Stmt{goes(at(0, program.Const(0)), at(1, program.Const(0)))}}, 1); err != ErrLimit {
		t.Errorf("error %v, want %v", err, ErrLimit)
	}
}
