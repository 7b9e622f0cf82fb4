package workload

import (
	"fmt"
	"io"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// Pattern is the way in which tasks depend on each other.
type Pattern uint8

// The patterns. Ring: messages from each task to the next one, the last to the first. Tree:
// messages between parents and children of a binary tree. Locks: each event that takes the one lock
// comes after the last one that did. ForkJoin: a binary tree of tasks that create each other and
// wait for each other's end.
const (
	Independent Pattern = iota
	Ring
	Tree
	Locks
	ForkJoin
	patterns
)

// Patterns returns all patterns.
func Patterns() []Pattern {
	all := make([]Pattern, patterns)
	for i := range all {
		all[i] = Pattern(i)
	}
	return all
}

// String returns the name of the pattern.
func (p Pattern) String() string {
	return [patterns]string{"independent", "ring", "tree", "locks", "forkjoin"}[p]
}

// barriers reports whether the pattern can express a barrier.
func (p Pattern) barriers() bool { return p == Ring || p == Tree || p == Locks }

// Variant selects the truth of the formulas.
type Variant uint8

// The variants. Holds: they are false in no slice. Violated: they are false in some slice, but in
// none that the run passed.
const (
	Holds Variant = iota
	Violated
)

// String returns the name of the variant.
func (v Variant) String() string { return [...]string{"holds", "violated"}[v] }

// turns reports whether tasks take turns in the middle phases. Without barriers they always can;
// with those of a tree they cannot.
func (c Config) turns() bool { return c.Variant == Violated || c.Pattern != Tree }

// MinEvents is the least number of events of a task. Below FullEvents there is room for two phases
// only, which is enough for formulas that assert that a and c exclude each other.
const (
	MinEvents  = 10
	FullEvents = 20
)

// Config describes a run. Equal Configs give equal runs.
type Config struct {
	Pattern Pattern
	Variant Variant
	Tasks   int  // at least 2
	Events  int  // of each task, at least MinEvents
	Buffer  bool // also record calls of append and remove, and the positions of a ring buffer
	Seed    uint64
}

// String returns the parameters without the seed.
func (c Config) String() string {
	return fmt.Sprintf("%v %d×%d, %v", c.Pattern, c.Tasks, c.Events, c.Variant)
}

// Header returns the header of the run's trace. The constants are the values of variables until a
// task has set its own.
func (c Config) Header() *event.Header {
	h := &event.Header{Tasks: []string{taskName(0)}}
	for t := 1; t < c.Tasks && c.Pattern != ForkJoin; t++ {
		h.Tasks = append(h.Tasks, taskName(t))
	}
	for i, name := range atomNames {
		h.Consts = append(h.Consts, event.Binding{Name: name, Value: event.BoolValue(initially&(isA<<i) != 0)})
	}
	if c.Buffer {
		h.Consts = append(h.Consts,
			event.Binding{Name: "N", Value: event.IntValue(bufferSize)},
			event.Binding{Name: varLast, Value: event.IntValue(bufferSize / 2)},
			event.Binding{Name: varFirst, Value: event.IntValue(0)})
	}
	return h
}

func taskName(t int) string { return fmt.Sprintf("w%d", t) }

// Net builds the net of the run.
func (c Config) Net() (*san.Net, error) {
	b, err := san.NewBuilder(c.Header())
	if err != nil {
		return nil, err
	}
	if err := c.Each(func(e *event.Event) error { return b.Add(e, "") }); err != nil {
		return nil, err
	}
	return b.Finish()
}

// WriteTrace writes the run as a binary trace.
func (c Config) WriteTrace(w io.Writer) error {
	out := event.NewBinaryWriter(w, c.Header())
	if err := c.Each(out.Write); err != nil {
		return err
	}
	return out.Close()
}
