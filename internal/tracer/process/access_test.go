package process

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// conflictRec is an access by ctx to addr after one of other, when that had written count records.
func conflictRec(kind ring.Kind, ctx, addr, other, count, flags uint64) ring.Record {
	r := rec(kind, ctx, addr, 1)
	for _, word := range []uint64{other<<ring.MomentShift | count, flags, 70, 71, 80, 0, 0} {
		r.Payload = binary.LittleEndian.AppendUint64(r.Payload, word)
	}
	r.PC[0] = 60
	return r
}

func TestConflicts(t *testing.T) {
	const lock = 0x100
	p, ops := watchRun(t, []ring.Record{
		rec(ring.KindGo, 1, 2, 0),
		// what came before the go statement
		conflictRec(ring.KindRead, 2, 8, 1, 0, ring.AccessWrites),
		conflictRec(ring.KindRead, 2, 16, 1, 1, ring.AccessWrites), // and after it
		rec(ring.KindRelease, 1, lock, lock, ring.OpUnlock),
		rec(ring.KindAcquire, 2, lock, lock, ring.OpLock),
		// before the unlock: only the order of the sections lies between the two
		conflictRec(ring.KindWrite, 2, 24, 1, 1, ring.AccessAtomic),
		conflictRec(ring.KindWrite, 2, 32, 1, 2, ring.AccessAtomic|ring.AccessWrites),
		rec(ring.KindHandoff, 1, 0x200, 2), // counts for both
		rec(ring.KindEnd, 2, 0, 0),
		conflictRec(ring.KindRead, 1, 40, 2, 1, ring.AccessWrites),
		conflictRec(ring.KindRead, 1, 48, 2, 2, ring.AccessWrites),
		conflictRec(ring.KindRead, 1, 56, 1, 0, ring.AccessWrites),    // itself
		conflictRec(ring.KindRead, 1, 56, 77, 0, ring.AccessWrites),   // no task
		{Kind: ring.KindRead, Ctx: 1, Addr: 8, Payload: []byte{1, 2}}, // torn
	}, Options{Accesses: true})
	var got []string
	for _, o := range ops {
		if o.Kind == op.Conflict {
			got = append(got, fmt.Sprintf("%s %s [%d+%d] at %v after %s %s at %v", p.Task(o.Task).Name, o.Want,
				o.Address, o.Arg, stackOf(p, o.At),
				p.Task(o.Other).Name, o.OtherWant, stackOf(p, o.OtherAt)))
		}
	}
	want := []string{
		"main.1 read [16+1] at [60 80] after main write at [70 71]",
		"main.1 write [24+1] at [60 80] after main load at [70 71]",
		"main.1 write [32+1] at [60 80] after main store at [70 71]",
		"main read [48+1] at [60 80] after main.1 write at [70 71]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("-want +got:", d)
	}
}

// TestOverwrites reports writes over dropped accesses: by the program, or here, of single accesses
// by many.
func TestOverwrites(t *testing.T) {
	const x, y, readers = 16, 24, 20
	var records []ring.Record
	for ctx := range uint64(readers) {
		records = append(records, rec(ring.KindGo, ctx+1, ctx+2, 0), rec(ring.KindRead, ctx+2, y, 1))
	}
	over := conflictRec(ring.KindWrite, 2, x, 0, 0, 0)
	over.Arg = ring.AccessOverwrites
	atomic := over
	atomic.Ctx, atomic.Arg = 1, ring.AccessOverwrites|ring.AccessAtomic
	p, ops := watchRun(t, append(records, over, atomic, rec(ring.KindWrite, 1, y, 1), rec(ring.KindWrite, 1, y, 1)),
		Options{})
	var got []string
	for _, o := range ops {
		if o.Kind == op.Overwrite {
			got = append(got, fmt.Sprintf("%s %s [%d+%d] after %d operations", p.Task(o.Task).Name, o.Want, o.Address,
				o.Arg, o.Moment))
		}
		if o.Kind == op.Conflict && o.Address == x {
			t.Errorf("a conflict with %d", o.Other)
		}
	}
	want := []string{
		"main.1 write [16+1] after 1 operations", "main store [16+1] after 1 operations",
		"main write [24+1] after 1 operations",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("-want +got:", d)
	}
}

// stackOf returns the addresses that led to a place, which fakeSymbols has named after themselves.
func stackOf(p *Process, at op.Place) []string {
	var pcs []string
	for _, f := range p.Place(at).Stack {
		pcs = append(pcs, strings.TrimPrefix(f.Function, "f"))
	}
	return pcs
}

// TestConflictsRandom compares the reported conflicts with plain vector clocks over records.
func TestConflictsRandom(t *testing.T) {
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		const tasks = 4
		records := []ring.Record{rec(ring.KindGo, 1, 2, 0), rec(ring.KindGo, 1, 3, 0), rec(ring.KindGo, 1, 4, 0)}
		var clocks [tasks + 1][tasks + 1]uint64 // how many records of whom a context knows
		for ctx := 1; ctx <= tasks; ctx++ {
			clocks[ctx][1] = uint64(min(ctx-1, 3)) // by then
		}
		clocks[1][1] = 3
		var objects [3][tasks + 1]uint64
		join := func(a, b *[tasks + 1]uint64) {
			for i := range a {
				a[i] = max(a[i], b[i])
			}
		}
		var want []uint64
		for i := range rapid.IntRange(1, 60).Draw(t, "n") {
			ctx := rapid.IntRange(1, tasks).Draw(t, "ctx")
			object := rapid.IntRange(0, 2).Draw(t, "object")
			addr := uint64(0x100 + 16*object)
			mine := &clocks[ctx]
			other := ctx%tasks + 1
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				mine[ctx]++
				join(mine, &objects[object])
				records = append(records, rec(ring.KindAcquire, uint64(ctx), addr, addr))
			case 1:
				mine[ctx]++
				objects[object] = *mine
				records = append(records, rec(ring.KindRelease, uint64(ctx), addr, addr))
			case 2:
				mine[ctx]++
				clocks[other][other]++
				join(mine, &clocks[other])
				clocks[other] = *mine
				records = append(records, rec(ring.KindHandoff, uint64(ctx), 0x800, uint64(other)))
			default:
				count := rapid.Uint64Range(0, clocks[other][other]).Draw(t, "count")
				access := uint64(1000 + i)
				if mine[other] <= count {
					want = append(want, access)
				}
				records = append(records, conflictRec(ring.KindWrite, uint64(ctx), access, uint64(other), count, 0))
			}
		}
		_, ops := watchRun(t, records, Options{})
		var got []uint64
		for _, o := range ops {
			if o.Kind == op.Conflict {
				got = append(got, o.Address)
			}
		}
		told += len(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal("-want +got:", d)
		}
	})
	if told == 0 {
		t.Error("no conflict was told")
	}
}

// TestFinalizerConflicts: what runs finalizers comes after what the others have done by then, also
// behind their last records and where they have ended, and so does who knows of it. So do
// finalizers of the library, in a program that has none.
func TestFinalizerConflicts(t *testing.T) {
	const channel = 0x100
	records := []ring.Record{
		rec(ring.KindGo, 1, 2, 0),
		rec(ring.KindGo, 1, 3, 0),
		rec(ring.KindGo, 1, 4, 0),
		rec(ring.KindEnd, 4, 0, 0),
		rec(ring.KindThreadStart, 9, 0, 8),
		rec(ring.KindFinGo, 9, 0, 0),
		// behind the last record of main
		conflictRec(ring.KindWrite, 9, 8, 1, 3, ring.AccessWrites),
		conflictRec(ring.KindWrite, 9, 40, 4, 0, ring.AccessWrites),
		rec(ring.KindRelease, 9, channel, channel),
		rec(ring.KindAcquire, 2, channel, channel),
		conflictRec(ring.KindWrite, 2, 16, 1, 3, ring.AccessWrites),
		conflictRec(ring.KindWrite, 3, 24, 1, 3, ring.AccessWrites), // knows nothing of it
		rec(ring.KindRelease, 1, channel+8, channel+8),
		conflictRec(ring.KindWrite, 9, 32, 1, 4, ring.AccessWrites), // came later
	}
	for _, env := range []bool{true, false} {
		p, ops := watchRun(t, records, Options{Env: env, Accesses: true})
		var got []string
		for _, o := range ops {
			if o.Kind == op.Conflict {
				got = append(got, fmt.Sprintf("%s at %d", p.Task(o.Task).Name, o.Address))
			}
		}
		if d := cmp.Diff([]string{"main.2 at 24", "env.1 at 32"}, got); d != "" {
			t.Errorf("env %v: -want +got: %s", env, d)
		}
	}
}

// A race leaves open what is read, whichever access is recorded first: a read is recorded before it
// is made.
func TestRacesLeaveReadsOpen(t *testing.T) {
	const lock = 0x100
	for _, test := range []struct {
		kind  ring.Kind
		flags uint64
	}{{ring.KindRead, ring.AccessWrites}, {ring.KindWrite, 0}, {ring.KindWrite, ring.AccessWrites}} {
		for _, ordered := range []bool{false, true} {
			records := []ring.Record{rec(ring.KindGo, 1, 2, 0)}
			count := uint64(1) // behind the go statement
			if ordered {
				records = append(records, rec(ring.KindRelease, 1, lock, lock, ring.OpUnlock),
					rec(ring.KindAcquire, 2, lock, lock, ring.OpLock))
			}
			p, _ := watchRun(t, append(records, conflictRec(test.kind, 2, 8, 1, count, test.flags)),
				Options{Accesses: true})
			if open := p.Stats().Open != ""; open == ordered {
				t.Errorf("kind %d after an access with flags %d, ordered: %t: open: %t", test.kind, test.flags, ordered,
					open)
			}
		}
	}
}
