package process

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// dataTasks are those of a dataModel, which are goroutines 1 to dataTasks.
const dataTasks = 3

// knowledge is, for each task, how many of its operations come before.
type knowledge [dataTasks + 1]uint64

func (k *knowledge) join(other knowledge) {
	for i := range k {
		k[i] = max(k[i], other[i])
	}
}

// dataModel says what comes before what by clocks that are copied as a whole: in the run, and in
// what reads order without locks.
type dataModel struct {
	full, data [dataTasks + 1]knowledge
	upon, then [dataTasks + 1][]knowledge // data, with each operation, and right before the next
	released   map[uint64]*[2]knowledge   // by object: full and data
	written    map[uint64]write
}

// write is who has written last, after how many of his operations.
type write struct{ task, count uint64 }

func newDataModel() *dataModel {
	m := &dataModel{released: map[uint64]*[2]knowledge{}, written: map[uint64]write{}}
	for t := range m.then {
		m.begin(uint64(t))
	}
	return m
}

// begin has a task begin with what it knows.
func (m *dataModel) begin(task uint64) {
	m.upon[task], m.then[task] = []knowledge{m.data[task]}, []knowledge{m.data[task]}
}

// operate does an operation of a task that acquires or releases an object.
func (m *dataModel) operate(task, object uint64, acquires, lock bool) {
	o := m.released[object]
	if o == nil {
		o = new([2]knowledge)
		m.released[object] = o
	}
	if acquires {
		m.full[task].join(o[0])
		m.data[task].join(o[1])
	}
	m.full[task][task]++
	m.data[task][task]++
	m.upon[task], m.then[task] = append(m.upon[task], m.data[task]), append(m.then[task], m.data[task])
	if !acquires {
		o[0] = m.full[task]
		if !lock {
			o[1] = m.data[task]
		}
	}
}

// read lets a task read an address, and returns who has written that and whether nothing orders the
// two in the run.
func (m *dataModel) read(task, address uint64) (from write, races bool) {
	from = m.written[address]
	if from.task == 0 || from.task == task {
		return from, false
	}
	races = m.full[task][from.task] <= from.count
	if races {
		m.data[task].join(m.then[from.task][from.count])
	} else { // who knows the next operation of a task knows all that it did before
		m.data[task].join(m.upon[from.task][from.count+1])
	}
	m.then[task][len(m.then[task])-1] = m.data[task]
	return from, races
}

// The operations before another one, if critical sections come in other orders and reads see what
// they have seen, are those of a simple model.
func TestData(t *testing.T) {
	read, raced := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := newDataModel()
		var records []ring.Record
		var want []knowledge
		done := func(task uint64) { want = append(want, m.data[task]) }
		for task := uint64(2); task <= dataTasks; task++ {
			records = append(records, goRec(1, task))
			m.operate(1, 0x1000+task, false, false)
			done(1)
			m.full[task].join(m.full[1])
			m.data[task].join(m.data[1])
			m.begin(task)
		}
		for range rapid.IntRange(0, 60).Draw(t, "length") {
			task := rapid.Uint64Range(1, dataTasks).Draw(t, "task")
			address := 0x2000 + 8*rapid.Uint64Range(0, 2).Draw(t, "address")
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0: // a critical section
				lock := 0x100 + 16*rapid.Uint64Range(0, 1).Draw(t, "lock")
				records = append(records, rec(ring.KindAcquire, task, lock, lock, ring.OpLock),
					rec(ring.KindRelease, task, lock, lock, ring.OpUnlock))
				m.operate(task, lock, true, true)
				done(task)
				m.operate(task, lock, false, true)
				done(task)
			case 1:
				records = append(records, rec(ring.KindAcquire, task, 0x300, 0x300, ring.OpOnce))
				m.operate(task, 0x300, true, false)
				done(task)
			case 2:
				records = append(records, rec(ring.KindRelease, task, 0x300, 0x300, ring.OpOnce))
				m.operate(task, 0x300, false, false)
				done(task)
			case 3:
				m.written[address] = write{task, m.full[task][task]}
			default:
				from, races := m.read(task, address)
				if from.task == 0 || from.task == task {
					continue
				}
				read++
				if races {
					raced++
				}
				records = append(records, conflictRec(ring.KindRead, task, address, from.task, from.count,
					ring.AccessWrites))
			}
		}
		_, ops := watchRun(t, records, Options{Accesses: true})
		i := 0
		for _, o := range ops {
			if o.Kind == op.Conflict || o.Kind == op.ReadFrom {
				continue
			}
			if i == len(want) {
				break // the end
			}
			for task := range dataTasks {
				if got, known := uint64(o.Data.At(int32(task))), want[i][task+1]; task != int(o.Task) && got != known {
					t.Fatalf("operation %d (%s by %d) knows %d operations of task %d, want %d", i, o.Kind, o.Task, got,
						task, known)
				}
			}
			i++
		}
		if i < len(want) {
			t.Fatalf("%d operations are told, want %d", i, len(want))
		}
	})
	if (read == raced || raced == 0) && !testing.Short() {
		t.Errorf("%d reads, %d of which race", read, raced)
	}
}
