package san_test

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// scrawl returns events whose references are drawn without regard to sense.
func scrawl(rnd *rand.Rand, joints int) []*event.Event {
	tasks := []string{"a", "b", "p", "q"}
	count := make(map[string]int)
	spawned := make(map[string]bool)
	var es []*event.Event
	ref := func() event.Ref {
		return event.Ref{Task: tasks[rnd.Intn(len(tasks))], K: 1 + rnd.Intn(3)}
	}
	for range 1 + rnd.Intn(9) {
		e := &event.Event{Task: tasks[rnd.Intn(len(tasks))]}
		count[e.Task]++
		if p := tasks[2+rnd.Intn(2)]; rnd.Intn(3) == 0 && !spawned[p] {
			spawned[p], e.Spawn = true, p
		}
		if rnd.Intn(3) == 0 {
			e.After = append(e.After, ref())
		}
		if rnd.Intn(100) < joints {
			e.With = append(e.With, ref())
		}
		es = append(es, e)
	}
	return es
}

// judge says whether events are certainly wrong whatever follows, and whether they are if nothing
// follows. It takes every event that is mentioned for one that comes, and looks for a way back.
func judge(es []*event.Event) (certain, atEnd bool) {
	count := make(map[string]int)
	last := make(map[string]int)
	spawner := make(map[string]event.Ref)
	class := make(map[event.Ref]event.Ref)
	mention := func(x event.Ref) {
		for k := last[x.Task] + 1; k <= x.K; k++ {
			y := event.Ref{Task: x.Task, K: k}
			class[y] = y
			last[x.Task] = k
		}
	}
	type edge struct{ from, to event.Ref }
	var edges []edge
	var joints []edge
	for _, e := range es {
		count[e.Task]++
		x := event.Ref{Task: e.Task, K: count[e.Task]}
		mention(x)
		for _, y := range e.After {
			mention(y)
			edges = append(edges, edge{y, x})
		}
		for _, y := range e.With {
			mention(y)
			joints = append(joints, edge{y, x})
		}
		if e.Spawn != "" {
			spawner[e.Spawn] = x
		}
	}
	for _, j := range joints {
		from, to := class[j.from], class[j.to]
		for y, c := range class {
			if c == from {
				class[y] = to
			}
		}
	}
	for x := range class {
		if x.K > 1 {
			edges = append(edges, edge{event.Ref{Task: x.Task, K: x.K - 1}, x})
		} else if s, ok := spawner[x.Task]; ok {
			edges = append(edges, edge{s, x})
		}
		for y := range class {
			certain = certain || x != y && x.Task == y.Task && class[x] == class[y]
		}
	}
	reach := make(map[edge]bool)
	for _, e := range edges {
		reach[edge{class[e.from], class[e.to]}] = true
	}
	for z := range class {
		for x := range class {
			for y := range class {
				if reach[edge{x, z}] && reach[edge{z, y}] {
					reach[edge{x, y}] = true
				}
			}
		}
	}
	for x := range class {
		certain = certain || reach[edge{x, x}]
	}
	atEnd = certain
	for t := range last {
		_, spawned := spawner[t]
		atEnd = atEnd || last[t] > count[t] || t > "b" && count[t] > 0 && !spawned
	}
	return certain, atEnd
}

func names(e *event.Event, task string, k int) bool {
	for _, x := range e.With {
		if x.Task == task && x.K == k {
			return true
		}
	}
	return false
}

// TestWrongTraces compares the verdict on scrawled traces, and the event that causes it, with a
// judge that knows only the definitions.
func TestWrongTraces(t *testing.T) {
	if testing.Short() { // the race detector makes it slow, and there is one goroutine
		t.Skip("it takes long")
	}
	wrong, certain := 0, 0
	for seed := range int64(20000) {
		rnd := rand.New(rand.NewSource(seed))
		es := scrawl(rnd, int(seed%2)*30)
		b, err := san.NewBuilder(&event.Header{Tasks: []string{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		late := false // an event is named as a side that may have been scheduled without it
		at := 0
		read := make(map[string][]*event.Event)
		for i, e := range es {
			at = i + 1
			read[e.Task] = append(read[e.Task], e)
			for _, y := range e.With {
				late = late || y.K <= len(read[y.Task]) && !names(read[y.Task][y.K-1], e.Task, len(read[e.Task]))
			}
			if err = b.Add(e, fmt.Sprint("event ", at)); err != nil {
				break
			}
		}
		now, atEnd := judge(es[:at])
		before, _ := judge(es[:at-1])
		fail := func(format string, args ...any) {
			t.Helper()
			for i, e := range es {
				t.Logf("%d %+v", i+1, *e)
			}
			t.Fatalf("seed %d: "+format, append([]any{seed}, args...)...)
		}
		switch {
		case err != nil && !now:
			fail("event %d is refused too early: %v", at, err)
		case err == nil && now && !late, before && !late:
			fail("event %d should have been refused: %v", at, err)
		case err != nil:
			certain++
		default:
			_, err = b.Finish()
			if (err != nil) != atEnd {
				fail("at the end: %v, want an error: %v", err, atEnd)
			}
		}
		if err == nil {
			continue
		}
		wrong++
		var e *san.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Pos, "event ") {
			fail("%v has no position", err)
		}
		if n := b.Partial(); n.Events() > len(es) || n.Complete() {
			fail("the part before the error has %d events", n.Events())
		}
	}
	if wrong < 1000 || certain < 1000 || wrong == 20000 {
		t.Errorf("%d of the traces are wrong, %d certainly", wrong, certain)
	}
}
