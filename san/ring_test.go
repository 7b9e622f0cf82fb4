package san_test

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// read builds the net of a trace in text form.
func read(text string) (*san.Builder, *san.Net, error) {
	r := event.NewTextReader(strings.NewReader(text), "trace")
	h, err := r.Header()
	if err != nil {
		return nil, nil, err
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		return nil, nil, err
	}
	var e event.Event
	for r.Next(&e) == nil {
		if err := b.AddFrom(&e, r); err != nil {
			return b, nil, err
		}
	}
	n, err := b.Finish()
	return b, n, err
}

func mustRead(t *testing.T, text string) *san.Net {
	t.Helper()
	_, n, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRingBuffer(t *testing.T) {
	n := mustRead(t, santest.RingBuffer)
	main, _ := n.Lookup("main")
	get, _ := n.Lookup("get")
	put, _ := n.Lookup("put")
	if n.Tasks() != 3 || n.Events() != 9 || n.Actions() != 9 || !n.Complete() {
		t.Fatalf("%d tasks, %d events, %d actions, complete %v", n.Tasks(), n.Events(), n.Actions(), n.Complete())
	}
	for _, c := range []struct {
		a, b             san.Action
		precedes, behind bool
	}{
		{san.Action{Task: main, K: 1}, san.Action{Task: get, K: 1}, true, false},
		{san.Action{Task: main, K: 2}, san.Action{Task: get, K: 1}, false, false},
		{san.Action{Task: main, K: 2}, san.Action{Task: get, K: 2}, true, false}, // through put
		{san.Action{Task: put, K: 3}, san.Action{Task: get, K: 2}, true, false},
		{san.Action{Task: put, K: 4}, san.Action{Task: get, K: 3}, false, false},
		{san.Action{Task: get, K: 2}, san.Action{Task: get, K: 1}, false, true},
	} {
		if n.Precedes(c.a, c.b) != c.precedes || n.Precedes(c.b, c.a) != c.behind {
			t.Errorf("%v precedes %v: %v, other way round %v", c.a, c.b, n.Precedes(c.a, c.b), n.Precedes(c.b, c.a))
		}
	}
	w := n.Walk(put)
	w.Seek(3)
	s := w.State()
	if !s.OnStack("put") || !s.InPhase("append", san.In) || s.InPhase("put", san.Start) {
		t.Errorf("stack of put:3 is %+v", s.Stack())
	}
	v := s.Resolve([]string{"b", "last"})
	if v.Scope != san.InOwn || v.Key != "b.last" || v.Values[0].Int() != 1 {
		t.Errorf("b.last in put:3 is %+v", v)
	}
	if v := s.Resolve([]string{"elem"}); v.Scope != san.InFrame || v.Values[0].Int() != 21 {
		t.Errorf("elem in put:3 is %+v", v)
	}
	if w.Next(); !s.InPhase("append", san.Term) || w.Next() {
		t.Errorf("stack of put:4 is %+v", s.Stack())
	}
	if i := n.Event(san.Action{Task: get, K: 2}); i.Op != "wait" || i.Obj != "b not empty" {
		t.Errorf("get:2 is %+v", i)
	}
	var order []string
	for a := range n.Order() {
		order = append(order, n.Name(a.Task))
	}
	if got := strings.Join(order, " "); got != "main main put get put put put get get" {
		t.Errorf("order is %s", got)
	}
}
