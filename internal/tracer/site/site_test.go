package site

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTableRoundTrip(t *testing.T) {
	want := &Table{
		Module: "example.com/m", Package: "example.com/m/ring", Root: "/home/me/m",
		Instrumented: Instrumentation{
			Package:   "example.com/m/ring",
			Functions: []string{"append", "Queue.put", "main.func1"},
			Variables: []string{"b.last", "elem"},
			Steps:     true,
			Names:     map[string]string{"(*Queue).put": "Queue.put"},
			Untraced:  []string{"sync.Cond"},
			Unwatched: []string{"deadlock: who waits at channels"},
		},
		Consts: []Const{
			{Name: "N", Value: int64(-4)},
			{Name: "Big", Value: uint64(1<<64 - 1)},
			{Name: "Pi", Value: float64(3.25)},
			{Name: "Debug", Value: false},
			{Name: "Name", Value: "a\xffb"},
			{Name: "Empty", Value: ""},
		},
		Shared: []string{"b.last"},
		Sites: []Site{
			{},
			{Kind: Enter, Func: "append", At: "ring.go:7", Vars: []Var{{Name: "elem", Scope: Frame}, {}}},
			{Kind: SharedInit, Vars: []Var{{Name: "b.last", Scope: Shared}}},
		},
	}
	want.SpecID = want.ID()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := new(Table)
	if err := json.Unmarshal(data, got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

func TestConstOfAnotherType(t *testing.T) {
	if _, err := json.Marshal(&Table{Consts: []Const{{Name: "c", Value: 1}}}); err == nil {
		t.Error("accepted")
	}
}

func TestTableThatIsNone(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"antichain_sites":1,"sites":7}`), new(Table)); err == nil {
		t.Error("accepted")
	}
}

func TestTableOfAnotherVersion(t *testing.T) {
	if err := json.Unmarshal([]byte(`{"antichain_sites":2,"sites":[]}`), new(Table)); err == nil {
		t.Error("accepted")
	}
}

func TestIDDependsOnWhatIsInstrumented(t *testing.T) {
	base := Table{Package: "p", Instrumented: Instrumentation{Functions: []string{"f", "g"}, Variables: []string{"x"}}}
	same := base
	same.Instrumented.Functions = []string{"g", "f"}
	same.Sites = []Site{{Kind: Enter}}
	if base.ID() != same.ID() {
		t.Error("order of names or positions of sites change the id")
	}
	seen := map[string]string{base.ID(): "base"}
	for name, change := range map[string]func(*Table){
		"package":         func(t *Table) { t.Package = "q" },
		"function":        func(t *Table) { t.Instrumented.Functions = []string{"f"} },
		"variable":        func(t *Table) { t.Instrumented.Variables = []string{"x", "y"} },
		"shared":          func(t *Table) { t.Shared = []string{"x"} },
		"steps":           func(t *Table) { t.Instrumented.Steps = true },
		"untraced":        func(t *Table) { t.Instrumented.Untraced = []string{"x"} },
		"other untraced":  func(t *Table) { t.Instrumented.Untraced = []string{"y"} },
		"unwatched":       func(t *Table) { t.Instrumented.Unwatched = []string{"x"} },
		"other unwatched": func(t *Table) { t.Instrumented.Unwatched = []string{"y"} },
		"function = variable": func(t *Table) {
			t.Instrumented.Functions, t.Instrumented.Variables = nil,
				[]string{"f", "g", "x"}
		},
	} {
		other := base
		change(&other)
		id := other.ID()
		if seen[id] != "" {
			t.Errorf("%s: same id as %s", name, seen[id])
		}
		seen[id] = name
	}
}

func TestSiteOfScribbledID(t *testing.T) {
	tab := Table{Sites: make([]Site, 2)}
	for id, want := range map[uint64]bool{0: true, 1: true, 2: false, 1 << 63: false} {
		if _, ok := tab.Site(id); ok != want {
			t.Errorf("Site(%d) = %v, want %v", id, ok, want)
		}
	}
}
