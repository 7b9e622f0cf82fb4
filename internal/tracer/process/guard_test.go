package process

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op/clock"
)

// The order without locks has nothing of a channel that is used as a lock, up to the operation that
// is none of a lock: all operations before come before that one, and from there on each comes
// before the next.
func TestGuards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tasks, channel = 3, 100
		records := []ring.Record{rec(ring.KindMakeChan, 1, channel, 1)}
		for g := range uint64(tasks) {
			records = append(records, goRec(1, 2+g))
		}
		start := len(records)
		holder := uint64(0)
		alike := rapid.IntRange(0, 9).Draw(t, "alike")
		for range rapid.IntRange(0, 12).Draw(t, "length") {
			g := uint64(2 + rapid.IntRange(0, tasks-1).Draw(t, "task"))
			kind := ring.Kind(ring.KindSend)
			if holder != 0 {
				kind = ring.KindRecv
				if rapid.IntRange(0, 9).Draw(t, "same") < alike {
					g = holder
				}
				holder = 0
			} else {
				holder = g
			}
			records = append(records, rec(kind, g, channel, 0))
		}
		ops := watchRecords(t, records, Options{})[start:]
		breaks := len(ops) // the first that is none of a lock
		for i := 1; i < len(ops) && breaks == len(ops); i += 2 {
			if ops[i].Task != ops[i-1].Task {
				breaks = i
			}
		}
		var before [20][20]bool
		for j := range ops {
			for i := j - 1; i >= 0; i-- {
				before[i][j] = ops[i].Task == ops[j].Task || j == breaks || i >= breaks
				for m := i + 1; m < j && !before[i][j]; m++ {
					before[i][j] = before[i][m] && before[m][j]
				}
			}
		}
		for j := range ops {
			if want := j < breaks; ops[j].Locking != want {
				t.Errorf("operation %d: locking is %v, want %v", j, ops[j].Locking, want)
			}
			for i := range j {
				if ops[i].Task == ops[j].Task {
					continue
				}
				if got := ops[j].Free.At(int32(ops[i].Task)) >= ops[i].K; got != before[i][j] {
					t.Errorf("%d before %d in Free: %v, want %v (%d is no lock)", i, j, got, before[i][j], breaks)
				}
				if ops[j].Full.At(int32(ops[i].Task)) < ops[i].K {
					t.Errorf("%d is not before %d in Full", i, j)
				}
			}
		}
	})
}

// An operation that finds the channel closed knows of the close, and not of sections unrelated to
// that. One that receives from it when it is closed and empty comes after the close and all
// sections.
func TestGuardClosed(t *testing.T) {
	ops := watchRecords(t, append(oneSection(), rec(ring.KindClose, 1, 100, 0), rec(ring.KindRecvClosed, 3, 100, 0)),
		Options{})
	o, closing, last := ops[len(ops)-1], ops[len(ops)-2], ops[len(ops)-3]
	for order, c := range []*clock.Clock{o.Full, o.Free} {
		if o.Locking || c.At(1) < last.K || c.At(0) < closing.K {
			t.Errorf("order %d: knows %d operations of the section, whose last is %d, and %d of main, which closed "+
				"it with number %d",
				order, c.At(1), last.K, c.At(0), closing.K)
		}
	}
}

// oneSection is that of goroutine 2, task 1.
func oneSection() []ring.Record {
	return []ring.Record{
		rec(ring.KindMakeChan, 1, 100, 1), goRec(1, 2), goRec(1, 3),
		rec(ring.KindSend, 2, 100, 0), rec(ring.KindRecv, 2, 100, 0),
	}
}
