package otlp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tracer/event"
)

// TestCircle: spans that come after themselves are named.
func TestCircle(t *testing.T) {
	source := NewSource(nil, nil, "", "")
	of := func(id, parent byte, start, end uint64) Span {
		return Span{Trace: TraceID{1}, ID: SpanID{id}, Parent: SpanID{parent}, Name: fmt.Sprint("f", id), Start: start,
			End: end, Source: source}
	}
	link := func(s Span, to byte) Span {
		s.Links = []Link{{s.Trace, SpanID{to}}}
		return s
	}
	long := make([]Span, 20)
	for i := range long {
		long[i] = of(byte(i+1), byte((i+1)%20+1), 1, 2)
	}
	for _, tt := range []struct {
		name    string
		spans   []Span
		options Options
		want    []string
	}{
		{"parents", []Span{of(1, 2, 1, 9), of(2, 1, 1, 9), of(3, 2, 1, 9)}, Options{},
			[]string{`the start of "f1 01`, `the start of "f2 02`}},
		{"itself", []Span{of(1, 1, 1, 9)}, Options{}, []string{`the start of "f1 01`}},
		{"link to itself", []Span{link(of(1, 0, 1, 9), 1)}, Options{}, []string{`the start of "f1 01`}},
		{"link to a child", []Span{link(of(1, 0, 1, 9), 2), of(2, 1, 1, 9)}, Options{},
			[]string{`the start of "f1 01`, `the start of "f2 02`}},
		{"skew", []Span{of(1, 0, 10, 20), of(2, 1, 1, 4)}, Options{Skew: new(time.Duration(2))},
			[]string{`the start of "f1 01`, `the start of "f2 02`, `the end of "f2 02`}},
		{"many", long, Options{}, []string{"and 12 others"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Build(tt.spans, tt.options)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if strings.Count(err.Error(), want) != 1 {
					t.Errorf("%v lacks %s", err, want)
				}
			}
			if strings.Contains(err.Error(), "f3 03") && len(tt.spans) < 9 {
				t.Errorf("%v names a span that is not part of it", err)
			}
		})
	}
}

// TestCircleOfManyLinks: to find a circle takes no longer than to look at everything once. It would
// take minutes.
func TestCircleOfManyLinks(t *testing.T) {
	source := NewSource(nil, nil, "", "")
	spans := make([]Span, 1<<17)
	for i := range spans {
		spans[i] = Span{Trace: TraceID{1}, ID: SpanID{byte(i), byte(i >> 8), byte(i >> 16), 1}, Name: "f", Start: 1,
			End: 2, Source: source}
	}
	x, y := &spans[7], &spans[8]
	x.Links = make([]Link, 1<<20)
	for i := range x.Links {
		x.Links[i] = Link{y.Trace, y.ID}
	}
	y.Links = []Link{{x.Trace, x.ID}}
	if _, err := Build(spans, Options{}); err == nil ||
		!strings.Contains(err.Error(), "events that each come after the next") {
		t.Fatal(err)
	}
}

// TestWrongSpans: sets of spans that are no trace.
func TestWrongSpans(t *testing.T) {
	s := spansOf(1, 1)
	other := spansOf(1, 1)
	other[0].Name = "g"
	for _, tt := range []struct {
		spans []Span
		want  string
	}{
		{nil, "a trace without spans"},
		{append(spansOf(2, 1), s...), "span 0100000000000000 is of trace 0"},
		{append(other, s...), `two different spans have the id 0100000000000000, "f" and "g"`},
	} {
		if _, err := Build(tt.spans, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, not %s", err, tt.want)
		}
	}
}

// TestReferences: n spans that end before n others begin take no more references than there are
// spans, by the clock of one process and by that of many.
func TestReferences(t *testing.T) {
	const n = 500
	spans := []Span{{Trace: TraceID{1}, ID: SpanID{1}, Start: 1, End: 1000,
		Source: NewSource([]event.Binding{{Name: "x", Value: event.IntValue(1)}}, nil, "", "")}}
	for i := range 2 * n {
		s := Span{Trace: TraceID{1}, ID: SpanID{2, byte(i), byte(i >> 8)}, Parent: SpanID{1}, Start: 10, End: 20,
			Source: spans[0].Source}
		if i >= n {
			s.Start, s.End = 30, 40
		}
		spans = append(spans, s)
	}
	for _, o := range []Options{{Sync: true}, {Skew: new(time.Nanosecond)}, {Sync: true, Skew: new(time.Duration(5))}} {
		tr, err := traceOf(Build(spans, o))
		if err != nil {
			t.Fatal(err)
		}
		refs := 0
		for _, e := range tr.Events {
			refs += len(e.After)
		}
		if refs > 6*n {
			t.Errorf("%d references for %d spans", refs, 2*n)
		}
		net, err := tr.Build()
		if err != nil {
			t.Fatal(err)
		}
		if want := 2*n + 3; net.Tasks() < want || net.Tasks() > want+1 {
			t.Errorf("%d tasks", net.Tasks())
		}
	}
}

// TestManyAttributes: names are compared the same way however many there are.
func TestManyAttributes(t *testing.T) {
	s := spansOf(1, 1)[0]
	s.Attributes = []event.Binding{{Name: "service.name", Value: event.StringValue("own")},
		{Name: "otel.scope.name", Value: event.StringValue("own")}}
	s.Source = NewSource(s.Source.Resource, []event.Binding{{Name: "scope", Value: event.IntValue(1)}}, "lib", "")
	for i := range 2 * fewNames {
		tr, err := traceOf(Build([]Span{s}, Options{}))
		if err != nil {
			t.Fatal(err)
		}
		e := tr.Events[1]
		if got := fmt.Sprint(e.Global); got != "[{scope 1}]" {
			t.Fatalf("with %d attributes: %s", len(s.Attributes), got)
		}
		if got := e.Set[1].Value.Str(); got != "own" || len(e.Set) != len(s.Attributes)+2 {
			t.Fatalf("with %d attributes: %v", len(s.Attributes), e.Set)
		}
		s.Attributes = append(s.Attributes, event.Binding{Name: fmt.Sprint("a", i), Value: event.NullValue()})
	}
}

// TestTimes: an event's time is that of the span's clock, since the first span.
func TestTimes(t *testing.T) {
	r, err := Build([]Span{{
		Trace: TraceID{1}, ID: SpanID{1}, Start: 1_700_000_000_000_000_001, End: 1_700_000_000_000_000_009,
		Source:  NewSource(nil, nil, "", ""),
		Moments: []Moment{{Time: 1_700_000_000_000_000_000}},
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr, _ := traceOf(r, nil)
	if got := tr.Header.Start; got != "2023-11-14T22:13:20.000000001Z" {
		t.Error(got)
	}
	var got []int64
	for _, e := range tr.Events {
		got = append(got, e.TS)
	}
	if fmt.Sprint(got) != "[0 0 -1 8 8]" {
		t.Error(got)
	}
}

// TestReduced: of spans one after the other each refers to the one before, and no helper is made.
func TestReduced(t *testing.T) {
	const n = 100
	spans := []Span{{Trace: TraceID{1}, ID: SpanID{1}, Start: 1, End: 10 * n,
		Source: NewSource([]event.Binding{{Name: "x", Value: event.IntValue(1)}}, nil, "", "")}}
	for i := range uint64(n) {
		spans = append(spans, Span{Trace: TraceID{1}, ID: SpanID{2, byte(i)}, Parent: SpanID{1}, Start: 9*i + 2,
			End: 9*i + 4, Source: spans[0].Source})
	}
	for _, tt := range []struct {
		options Options
		refs    int
	}{
		{Options{Skew: new(time.Duration(2))}, n - 1},
		// those before the one before overlap, as far as is known
		{Options{Skew: new(time.Duration(8))}, n - 2 + n - 3},
		{Options{Sync: true}, 2*n - 1}, // the parent's end, too
	} {
		tr, err := traceOf(Build(spans, tt.options))
		if err != nil {
			t.Fatal(err)
		}
		refs, tasks := 0, map[string]bool{}
		for _, e := range tr.Events {
			refs += len(e.After)
			tasks[e.Task] = true
		}
		if refs != tt.refs || len(tasks) != n+2 {
			t.Errorf("%+v: %d references, not %d; %d tasks", tt.options, refs, tt.refs, len(tasks))
		}
	}
}

// TestOverlap: a span that began early and ended late does not hide that others were one after the
// other.
func TestOverlap(t *testing.T) {
	var spans []Span
	for i, at := range [][2]uint64{{1, 2}, {4, 5}, {1, 6}, {8, 9}} {
		spans = append(spans, Span{Trace: TraceID{1}, ID: SpanID{byte(i + 1)}, Start: at[0], End: at[1],
			Source: NewSource(nil, nil, "", "")})
	}
	tr, err := traceOf(Build(spans, Options{Skew: new(time.Duration(1))}))
	if err != nil {
		t.Fatal(err)
	}
	last := tr.Events[len(tr.Events)-3]
	if got := fmt.Sprint(last.After); got != "[{unnamed 0200000000000000 3} {unnamed 0300000000000000 3}]" {
		t.Error(got)
	}
}

// TestTies: events with one time stay in the order of the span.
func TestTies(t *testing.T) {
	s := spansOf(1, 1)[0]
	var want []string
	for i := range 60 {
		s.Moments = append(s.Moments, Moment{Time: uint64(5 + i*7%3), Name: fmt.Sprint(i)})
	}
	for time := range 3 {
		for i := range 60 {
			if i*7%3 == time {
				want = append(want, fmt.Sprint(i))
			}
		}
	}
	tr, err := traceOf(Build([]Span{s}, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range tr.Events[2 : len(tr.Events)-2] {
		got = append(got, e.Obj)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestReturn: a parent that ends when its child does, by one clock, has waited for it; one that
// ends before has not.
func TestReturn(t *testing.T) {
	source := NewSource([]event.Binding{{Name: "x", Value: event.NullValue()}}, nil, "", "")
	for _, tt := range []struct {
		end  uint64 // of the parent
		want string
	}{{20, "[{unnamed 0200000000000000 3}]"}, {10, "[{unnamed 0200000000000000 3}]"}, {9, "[]"}} {
		r, err := Build([]Span{
			{Trace: TraceID{1}, ID: SpanID{1}, Start: 1, End: tt.end, Source: source},
			{Trace: TraceID{1}, ID: SpanID{2}, Parent: SpanID{1}, Start: 2, End: 10, Source: source},
		}, Options{Sync: true})
		if err != nil {
			t.Fatal(err)
		}
		tr, _ := traceOf(r, nil)
		for _, e := range tr.Events {
			if e.Task == "unnamed 0100000000000000" && e.Exit != "" {
				if got := fmt.Sprint(e.After); got != tt.want {
					t.Errorf("a parent that ends at %d comes after %s", tt.end, got)
				}
			}
		}
		if got := r.Notes().Outlived; (got == 1) != (tt.end == 9) {
			t.Errorf("%d children outlived a parent that ends at %d", got, tt.end)
		}
	}
}

// TestLongNames: what stands in each event is short, and still that of one span.
func TestLongNames(t *testing.T) {
	s := spansOf(1, 2)
	for i := range s {
		s[i].Name = strings.Repeat("ä", 1000)
		s[i].Source = NewSource([]event.Binding{{Name: "service.name",
			Value: event.StringValue(strings.Repeat("x", 101))}}, nil, "", "")
	}
	tr, err := traceOf(Build(s, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	last := tr.Events[len(tr.Events)-2]
	if want := strings.Repeat("x", 100) + "…/" + strings.Repeat("ä", 50) + "… " + s[1].ID.String(); last.Task != want ||
		last.Exit != s[1].Name {
		t.Errorf("%s leaves %.10s…", last.Task, last.Exit)
	}
}
