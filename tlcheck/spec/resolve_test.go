package spec_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

var program = &spec.Vocabulary{
	Package: "example.com/m/ring",
	Functions: []string{"append", "Queue.append", "Queue.put", "Stack.put", "get", "list.Queue.remove",
		"list.Queue.clear", "Queue.clear", "main.func1", "main", "init.0", "list.init.1", "list.Heap.fix",
		"list.Heap.fix.func1"},
	Variables: []string{"b.last", "b.data", "elem", "N"},
}

// resolved returns the frame name that a function's name is resolved to, or the candidates.
func resolved(t *testing.T, name string, v *spec.Vocabulary) []string {
	t.Helper()
	p, err := spec.ParseFormula("t:(in." + strconv.Quote(name) + ")")
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Resolve(v)
	var e *spec.Error
	switch {
	case errors.As(err, &e) && strings.Contains(e.Msg, "ambiguous"):
		return e.Candidates
	case err != nil:
		return nil
	}
	return []string{spec.FunctionsOf(r.Formula)[0].Name}
}

func TestResolveFunction(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"append", []string{"append"}},
		{"Queue.append", []string{"Queue.append"}},
		{"(*Queue).append", []string{"Queue.append"}},
		{"Queue[go.shape.int].append", []string{"Queue.append"}},
		{"Queue[Pair[int, string]].append", []string{"Queue.append"}},
		{"put", []string{"Queue.put", "Stack.put"}},
		{"remove", []string{"list.Queue.remove"}},
		{"Queue.remove", []string{"list.Queue.remove"}},
		{"Queue.clear", []string{"Queue.clear"}},
		{"list.Queue.clear", []string{"list.Queue.clear"}},
		{"clear", []string{"Queue.clear"}},
		{"main.clear", []string{"Queue.clear"}},
		{"main.put", []string{"Queue.put", "Stack.put"}},
		{"list.remove", []string{"list.Queue.remove"}},
		{"list.fix", []string{"list.Heap.fix"}},
		{"fix", []string{"list.Heap.fix"}},
		{"list.append", nil},
		{"init", []string{"init.0"}},
		{"list.init", []string{"list.init.1"}},
		{"ring.get", []string{"get"}},
		{"main.get", []string{"get"}},
		{"list.get", nil},
		{"et", nil},
		{"main.func1", []string{"main.func1"}},
		{"main.main", []string{"main"}},
	}
	for _, test := range tests {
		got := resolved(t, test.name, program)
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

// The meaning that the tracer gave a name takes precedence.
func TestResolveAsTraced(t *testing.T) {
	v := &spec.Vocabulary{Package: "m", Functions: []string{"Queue.Put", "lib.Put"}}
	if d := cmp.Diff([]string{"Queue.Put", "lib.Put"}, resolved(t, "Put", v)); d != "" {
		t.Error(d)
	}
	v.Names = map[string]string{"Put": "Queue.Put", "(*Stack).Put": "lib.Put"}
	for name, want := range map[string]string{"Put": "Queue.Put", "(*Stack).Put": "lib.Put", "lib.Put": "lib.Put",
		"(*Queue).Put": "Queue.Put"} {
		if d := cmp.Diff([]string{want}, resolved(t, name, v)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestResolve(t *testing.T) {
	f, err := spec.Parse("a.tl", `property p: exists t (t:(in.remove and not (elem > b.last)) until t:(start."(*Queue).append" or term.get)) -> t:(b.data[N] == 1 -> in.append)`)
	if err != nil {
		t.Fatal(err)
	}
	before := spec.Format(f.Properties[0].Formula)
	r, err := f.Properties[0].Resolve(program)
	if err != nil {
		t.Fatal(err)
	}
	want := "exists t (t:(in.list.Queue.remove and not elem > b.last) until t:(start.Queue.append or term.get)) -> t:(b.data[N] == 1 -> in.append)"
	if got := spec.Format(r.Formula); got != want {
		t.Errorf("got %s", got)
	}
	if got := spec.Format(f.Properties[0].Formula); got != before {
		t.Errorf("the argument was changed to %s", got)
	}
}

func TestResolveErrors(t *testing.T) {
	tests := []struct {
		src      string
		contains []string
	}{
		{"property p: t:(in.put)", []string{"a.tl:1:16: function put is ambiguous", "candidate: Queue.put",
			"candidate: Stack.put", "\n    property p: t:(in.put)"}},
		{"property p: t:(in.apend)", []string{"function apend is not recorded in this trace", `did you mean "append"?`,
			"candidate: append"}},
		{"property p: t:(in.nothing)", []string{"function nothing is not recorded in this trace",
			"trace the program again"}},
		{"property p: t:(b.first > 0)", []string{"variable b.first is not recorded in this trace"}},
		{"property p: t:(b > 0)", []string{"variable b is not recorded in this trace"}},
	}
	for _, test := range tests {
		f, err := spec.Parse("a.tl", test.src)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Properties[0].Resolve(program)
		var e *spec.Error
		if !errors.As(err, &e) || e.Line != 1 || e.Col != 16 {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		for _, c := range test.contains {
			if !strings.Contains(err.Error(), c) {
				t.Errorf("%s: no %q in\n%v", test.src, c, err)
			}
		}
	}
}
