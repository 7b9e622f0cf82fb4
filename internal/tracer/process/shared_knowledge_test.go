package process

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/event"
)

func sharedTable() *site.Table {
	table := testTable()
	table.Shared = []string{"n", "m"}
	table.Consts = []site.Const{{Name: "N", Value: int64(4)}}
	table.Sites[initSites].Vars = []site.Var{{Name: "n", Scope: site.Shared}, {Name: "m", Scope: site.Shared}}
	table.Sites[stmtS].Vars = []site.Var{{Name: "n", Scope: site.Shared}, {Name: "n", Scope: site.Global}}
	return table
}

// The header waits for the initial values, and the events wait for the header.
func TestSharedInit(t *testing.T) {
	p := newProcess(t, sharedTable(), Options{Env: true, Run: "r", Program: "p", Host: "h", Start: "s"})
	records := []ring.Record{
		goRec(1, 2), enterRec(1),
		{Kind: ring.KindSharedInit, Ctx: 1, Addr: initSites, Payload: values(3, nil)},
		{Kind: ring.KindStmt, Ctx: 2, Addr: stmtS, Payload: values(4, 5)},
	}
	want := []string{
		"main spawn main.1 op go f7 at a.go:9",
		"main enter g at p.go:3",
		"main.1 global n=5 write n=4 at p.go:5",
	}
	if diff := cmp.Diff(want, lines(run(t, p, records))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	h := p.Header()
	wantHeader := &event.Header{
		Version: event.Version, Tasks: []string{"main", "env"}, Run: "r", Program: "p", Host: "h", Start: "s",
		Consts:       []event.Binding{{Name: "N", Value: event.IntValue(4)}},
		Shared:       []event.Binding{{Name: "n", Value: event.IntValue(3)}, {Name: "m", Value: event.NullValue()}},
		Instrumented: &event.Instrumentation{Functions: []string{"f", "g"}, Variables: []string{"x", "b"}},
	}
	if diff := cmp.Diff(wantHeader, h, cmp.AllowUnexported(event.Value{})); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestSharedInitNeverComes(t *testing.T) {
	p := newProcess(t, sharedTable(), Options{})
	if p.Header() != nil {
		t.Error("header before the initial values")
	}
	if got := lines(run(t, p, []ring.Record{enterRec(1)})); len(got) != 1 {
		t.Errorf("events at the end: %q", got)
	}
	if h := p.Header(); h == nil || h.Shared[0].Value.Kind() != event.Null {
		t.Errorf("header: %+v", h)
	}

	p = newProcess(t, sharedTable(), Options{})
	if got := run(t, p, make([]ring.Record, 0)); got != nil {
		t.Errorf("events: %q", lines(got))
	}
	if p.Header() == nil {
		t.Error("no header at the end")
	}
}

// A program that never finishes its initialisation does not fill the memory.
func TestSharedInitIsBounded(t *testing.T) {
	p := newProcess(t, sharedTable(), Options{})
	emitted := 0
	r := ring.Record{Kind: ring.KindStmt, Ctx: 1, Addr: stmtS, Payload: values(nil, nil)}
	for range maxHeld + 10 {
		if err := p.Feed(&r, func(*event.Event) error { emitted++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if emitted != maxHeld+10 || p.Stats().Corrupt != 1 {
		t.Errorf("emitted %d, corrupt %d", emitted, p.Stats().Corrupt)
	}
}

func TestBadTables(t *testing.T) {
	for name, change := range map[string]func(*site.Table){
		"unknown kind":           func(t *site.Table) { t.Sites[0].Kind = "x" },
		"no function":            func(t *site.Table) { t.Sites[0].Func = "" },
		"undeclared shared":      func(t *site.Table) { t.Sites[0].Vars[0].Scope = site.Shared },
		"unknown scope":          func(t *site.Table) { t.Sites[0].Vars[0].Scope = "x" },
		"set and global":         func(t *site.Table) { t.Sites[stmtS].Vars[2].Name = "x" },
		"shared variable twice":  func(t *site.Table) { t.Shared = []string{"n", "n"} },
		"written variable twice": func(t *site.Table) { *t = *sharedTable(); t.Sites[initSites].Vars[1].Name = "n" },
	} {
		table := testTable()
		change(table)
		if _, err := New(table, nil, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// An error of the receiver of the events ends the reading.
func TestEmitError(t *testing.T) {
	p := newProcess(t, testTable(), Options{})
	failing := func(*event.Event) error { return io.ErrClosedPipe }
	r := enterRec(1)
	if err := p.Feed(&r, failing); err == nil {
		t.Fatal("no error")
	}
	if err := p.Feed(&r, func(*event.Event) error { t.Error("called again"); return nil }); err == nil {
		t.Error("no error afterwards")
	}
	if err := p.Finish(nil); err == nil {
		t.Error("no error at the end")
	}
}
