package otlp

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/antichain-go/antichain/internal/santest"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// drawSpans draws the spans of a small trace. Some have parents that never came, and a few come
// after themselves.
func drawSpans(t *rapid.T) []Span {
	n := rapid.IntRange(1, 9).Draw(t, "spans")
	sources := []*Source{
		NewSource(nil, nil, "", ""),
		NewSource([]event.Binding{{Name: "service.name", Value: event.StringValue("a")}}, nil, "lib", "1"),
		NewSource([]event.Binding{{Name: "service.name", Value: event.StringValue("b")},
			{Name: "x", Value: event.NullValue()}}, nil, "", ""),
		// the same process
		NewSource([]event.Binding{{Name: "x", Value: event.NullValue()},
			{Name: "service.name", Value: event.StringValue("b")}}, nil, "", ""),
	}
	ids := rapid.Permutation([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "ids")
	earlier := func(i int) SpanID { // than span i, mostly
		if i == 0 || rapid.IntRange(0, 40).Draw(t, "any") == 0 {
			return SpanID{rapid.Byte().Draw(t, "id") % 11}
		}
		return SpanID{ids[rapid.IntRange(0, i-1).Draw(t, "earlier")]}
	}
	instant := func(name string) uint64 { return rapid.Uint64Range(1, 24).Draw(t, name) }
	spans := make([]Span, n)
	for i := range spans {
		s := Span{
			Trace: TraceID{1}, ID: SpanID{ids[i]}, Name: fmt.Sprint("f", i%3),
			Kind:   Kind(rapid.IntRange(0, 5).Draw(t, "kind")),
			Start:  uint64(1+2*i) + rapid.Uint64Range(0, 3).Draw(t, "start"),
			Source: sources[rapid.SampledFrom([]int{0, 1, 1, 1, 2, 3}).Draw(t, "source")],
		}
		if i > 0 {
			s.Parent = earlier(i)
		}
		if rapid.IntRange(0, 9).Draw(t, "open") > 0 {
			s.End = s.Start + rapid.Uint64Range(0, 6).Draw(t, "length")
		}
		if rapid.IntRange(0, 20).Draw(t, "wrong") == 0 {
			s.End = instant("end")
		}
		for range rapid.IntRange(0, 2).Draw(t, "moments") {
			s.Moments = append(s.Moments, Moment{Time: s.Start + rapid.Uint64Range(0, 7).Draw(t, "moment"), Name: "e"})
		}
		if rapid.IntRange(0, 3).Draw(t, "linked") == 0 {
			s.Links = append(s.Links, Link{TraceID{rapid.Byte().Draw(t, "trace")%2 + 1}, earlier(i)})
		}
		spans[i] = s
	}
	return spans
}

func drawOptions(t *rapid.T) Options {
	o := Options{Sync: rapid.Bool().Draw(t, "sync")}
	if skew := rapid.IntRange(-1, 4).Draw(t, "skew"); skew >= 0 {
		o.Skew = new(time.Duration(skew))
	}
	return o
}

// traceOf reads a run.
func traceOf(r *Run, err error) (santest.Trace, error) {
	if err != nil {
		return santest.Trace{}, err
	}
	return santest.Collect(r)
}

// TestReads: unused variables are left out, and nothing else.
func TestReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, o := drawSpans(t), drawOptions(t)
		for i := range spans {
			spans[i].Attributes = []event.Binding{{Name: "a", Value: event.IntValue(int64(i))}}
			for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"otel.kind", "x", "service.name"}), 0,
				1).Draw(t, "attribute") {
				spans[i].Attributes = append(spans[i].Attributes,
					event.Binding{Name: name, Value: event.StringValue("own")})
			}
		}
		want, err := traceOf(Build(spans, o))
		if err != nil {
			return
		}
		left := rapid.SliceOf(rapid.SampledFrom([]string{"a", "x", "otel.kind", "otel.scope.name", "service.name",
			"event.name"})).Draw(t, "left out")
		o.Reads = func(name string) bool { return !slices.Contains(left, name) }
		got, err := traceOf(Build(spans, o))
		if err != nil {
			t.Fatal(err)
		}
		unread := func(b event.Binding) bool { return !o.Reads(b.Name) }
		for _, e := range want.Events {
			e.Set, e.Global = slices.DeleteFunc(e.Set, unread), slices.DeleteFunc(e.Global, unread)
		}
		if d := cmp.Diff(textOf(t, want), textOf(t, got)); d != "" {
			t.Fatal(d)
		}
	})
}

// point is something that a span does: 0 is its start, 1 and so on its moments, behind them its
// exit and end.
type point struct{ span, at int }

// relation is the order of points as doc.go states it, closed under transitivity by brute force.
func relation(spans []Span, o Options) map[point]map[point]bool {
	less := map[point]map[point]bool{}
	add := func(p, q point) { less[p][q] = true }
	exit := func(i int) point { return point{i, len(spans[i].Moments) + 1} }
	end := func(i int) point { return point{i, len(spans[i].Moments) + 2} }
	find := func(id SpanID) int { return slices.IndexFunc(spans, func(s Span) bool { return s.ID == id }) }
	late := func(i int) uint64 { return max(spans[i].Start, spans[i].End) }
	same := func(i, j int) bool {
		return spans[i].Source.process == spans[j].Source.process && len(spans[i].Source.Resource) > 0
	}
	var points []point
	for i, s := range spans {
		for at := range len(s.Moments) + 3 {
			p := point{i, at}
			less[p] = map[point]bool{}
			if p != end(i) && p != exit(i) || s.End != 0 {
				points = append(points, p)
			}
		}
	}
	for i, s := range spans {
		for at := range len(s.Moments) + 2 {
			add(point{i, at}, point{i, at + 1})
		}
		if p := find(s.Parent); p >= 0 {
			add(point{p, 0}, point{i, 0})
		}
		for _, l := range s.Links {
			if j := find(l.Span); j >= 0 && l.Trace == s.Trace {
				add(point{j, 0}, point{i, 0})
			}
		}
		for j, u := range spans {
			if o.Skew != nil && s.End != 0 && u.Start > late(i) && u.Start-late(i) > uint64(*o.Skew) {
				add(end(i), point{j, 0})
			}
		}
		p := find(s.Parent)
		if !o.Sync || p < 0 || s.End == 0 || s.Kind == Producer || s.Kind == Consumer {
			continue
		}
		if same(i, p) && spans[p].End != 0 && late(i) > late(p) {
			continue
		}
		add(end(i), exit(p))
		if !same(i, p) {
			continue
		}
		ordered := slices.Clone(spans[p].Moments)
		slices.SortStableFunc(ordered, func(m, n Moment) int { return int(m.Time) - int(n.Time) })
		for at, m := range ordered {
			if m.Time > late(i) {
				add(end(i), point{p, at + 1})
			}
		}
		for j, u := range spans {
			if u.Parent == s.Parent && same(j, p) && u.Start > late(i) {
				add(end(i), point{j, 0})
			}
		}
	}
	for _, via := range points {
		for _, p := range points {
			for _, q := range points {
				if less[p][via] && less[via][q] {
					add(p, q)
				}
			}
		}
	}
	return less
}

// TestOrder compares the net of a run with brute force, with references and with helpers.
func TestOrder(t *testing.T) {
	circles, runs, ordered := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spans, o := drawSpans(t), drawOptions(t)
		want := relation(spans, o)
		circular := false
		for p := range want {
			circular = circular || want[p][p]
		}
		tr, err := traceOf(build(spans, o, rapid.SampledFrom([]int{0, maxPairs}).Draw(t, "pairs")))
		if circular != (err != nil) {
			t.Fatalf("circular %v, error %v", circular, err)
		}
		if circular {
			circles++
			return
		}
		runs++
		net, err := tr.Build()
		if err != nil {
			t.Fatal(err)
		}
		actions := actionsOf(t, net, spans)
		for p, a := range actions {
			for q, b := range actions {
				if got := net.Precedes(a, b); got != want[p][q] {
					t.Fatalf("%v precedes %v: %v", p, q, got)
				}
				if p.span != q.span && want[p][q] {
					ordered++
				}
			}
		}
	})
	if !testing.Short() && (circles == 0 || runs < circles || ordered < 10*runs) {
		t.Errorf("%d runs with %d pairs in order, %d circles", runs, ordered, circles)
	}
}

// actionsOf finds the actions of points: those of a span's task that do not create another one.
func actionsOf(t *rapid.T, net *san.Net, spans []Span) map[point]san.Action {
	actions := map[point]san.Action{}
	for i := range spans {
		task, ok := net.Lookup(spans[i].task())
		if !ok {
			t.Fatalf("no task for span %d", i)
		}
		at := 0
		for k := 1; k <= net.Len(task); k++ {
			a := san.Action{Task: task, K: int32(k)}
			if _, ok := net.Spawns(a); !ok {
				actions[point{i, at}] = a
				at++
			}
		}
		want := 1 + len(spans[i].Moments)
		if spans[i].End != 0 {
			want += 2
		}
		if at != want {
			t.Fatalf("span %d has %d events, not %d", i, at, want)
		}
	}
	return actions
}

// TestHeap: nodes come out in the order of their times, and those of one time in their own.
func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []int32
		h := heap{nodes: make([]node, rapid.IntRange(1, 30).Draw(t, "nodes"))}
		for n := range h.nodes {
			h.nodes[n].time = rapid.Uint64Range(0, 9).Draw(t, "time")
			want = append(want, int32(n))
		}
		for _, n := range rapid.Permutation(want).Draw(t, "order") {
			h.push(n)
		}
		slices.SortStableFunc(want, func(m, n int32) int { return int(h.nodes[m].time) - int(h.nodes[n].time) })
		var got []int32
		for len(h.queue) > 0 {
			got = append(got, h.pop())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, not %v", got, want)
		}
	})
}
