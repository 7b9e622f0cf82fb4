//go:build unix

package versions

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// made is a table of made outcomes: rows of columns for 1.25.14, 1.26.0 and 1.27.4.
func made(rows map[string][]*outcome, order ...string) *table {
	releases := []*release{releaseOf(Version{25, 14}), releaseOf(Version{26, 0}), releaseOf(Version{27, 4})}
	var list []*cell
	for _, name := range order {
		list = append(list, &cell{name: name})
	}
	t := newTable(list, releases)
	for i, name := range order {
		copy(t.outcomes[i], rows[name])
	}
	return t
}

func TestTable(t *testing.T) {
	ok := func(says string) *outcome { return &outcome{OK: true, Says: says, Seconds: 2.2} }
	table := made(map[string][]*outcome{
		"README":        {{Says: "differs", Details: "exit code 2\n"}, ok("ok"), nil},
		"example lease": {{Says: "differs", Details: "no required module provides package\n"}, ok("ok"), ok("ok")},
	}, "README", "example lease")
	const want = `| check | go1.25.14 | go1.26.0 | go1.27.4 |
| --- | --- | --- | --- |
| README | FAILED: differs, 0 s | ok, 3 s | not run |
| example lease | (differs, 0 s) | ok, 3 s | ok, 3 s |
`
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Error(diff)
	}
	const details = `go1.25.14, README: differs: FAILED
    exit code 2

go1.25.14, example lease: differs: expected: it has antichain compiled in, which asks for Go 1.26
    no required module provides package

`
	if diff := cmp.Diff(details, table.details()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"go1.25.14, README: differs", "go1.27.4, README: not run"}, table.problems()); diff != "" {
		t.Error(diff)
	}
	if got := names(versionsIn("before\n" + table.String())); got != "go1.25.14 go1.26.0 go1.27.4" {
		t.Errorf("read again: %s", got)
	}
}

// An exception is for what it says, and for no supported version.
func TestExceptions(t *testing.T) {
	c := &cell{name: "example lease"}
	shown := &outcome{Details: "no required module provides package"}
	if exceptionFor(before, c, shown) == nil {
		t.Error("none for what cannot be had")
	}
	if exceptionFor(before, c, &outcome{Details: "panic: nil pointer"}) != nil || exceptionFor(26, c, shown) != nil {
		t.Error("one for what can be had")
	}
	// It explains every part, or nothing.
	refused, broken := part{"A", "go.mod requires go >= 1.26.0"}, part{"B", "panic: nil pointer"}
	c = &cell{name: "self-tests of instrument"}
	if exceptionFor(before, c, &outcome{Failing: []part{refused, refused}}) == nil || exceptionFor(before, c, &outcome{Failing: []part{refused, broken}}) != nil {
		t.Error("parts are not told apart")
	}
	rows := map[string]bool{}
	for _, c := range cells() {
		rows[c.name] = true
	}
	for _, e := range exceptions {
		if !rows[e.cell] || e.why == "" {
			t.Errorf("an exception for %q: %s", e.cell, e.why)
		}
	}
}

// Scores are compared between releases that have any.
func TestCompareScores(t *testing.T) {
	scores := func(mean float64, names ...string) *outcome { return &outcome{OK: true, Named: names, Mean: mean} }
	none := &outcome{OK: true}
	for _, tt := range []struct {
		row      string
		outcomes []*outcome
		want     []string
	}{
		{gokerAsIs, []*outcome{scores(2, "A", "B"), scores(2, "A", "B"), none}, nil},
		{gokerAsIs, []*outcome{none, scores(2, "A", "B"), scores(2, "A", "C")},
			[]string{"goker, as they stand: named on go1.26.0 and not on go1.27.4: B; the other way round: C"}},
		{gokerSingle, []*outcome{scores(50, "A"), scores(51.5, "B"), scores(52, "B")}, nil},
		{gokerSingle, []*outcome{scores(52.1, "A"), none, scores(50, "A")},
			[]string{"goker, single copies: on average of one run 50.0 on go1.27.4 and 52.1 on go1.25.14, more than 2 apart"}},
		{gokerSingle, []*outcome{none, none, none}, nil},
		{"README", []*outcome{scores(1, "A"), scores(9, "B"), none}, nil},
	} {
		table := made(map[string][]*outcome{tt.row: tt.outcomes}, tt.row)
		if diff := cmp.Diff(tt.want, table.problems()); diff != "" {
			t.Errorf("%s: %s", tt.row, diff)
		}
	}
}

// What was found is there again, for that release, check and content.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	s, r, c := newStore(dir, "key"), releaseOf(Version{26, 0}), &cell{name: "suite std/net/http"}
	if o, err := s.load(r, c); o != nil || err != nil {
		t.Fatal(o, err)
	}
	want := &outcome{OK: true, Says: "ok", Seconds: 1.5, Named: []string{"A"}, Mean: 2}
	if err := s.save(r, c, want); err != nil {
		t.Fatal(err)
	}
	got, err := s.load(r, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if o, err := newStore(dir, "other").load(r, c); o != nil || err != nil {
		t.Error("another content has it too", err)
	}
	if o, err := s.load(releaseOf(Version{26, 1}), c); o != nil || err != nil {
		t.Error("another release has it too", err)
	}
}

func TestContentKey(t *testing.T) {
	files := fstest.MapFS{}
	add := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	key := func() string {
		k, err := contentKey(files)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	add("go.mod", "module m")
	add("cmd/a.go", "package a")
	last := key()
	for _, name := range []string{"README.md", ".git/HEAD", ".gitignore", ".ci/run", "docs/results/a.txt", "cmd/measure/internal/versions/a.go", "bin/a", "antichain"} {
		add(name, "x")
		if key() != last {
			t.Errorf("%s counts", name)
		}
	}
	for _, name := range []string{"cmd/b.go", ".ci/suites.txt", "examples/a.tl", "cmd/measure/a.go"} {
		add(name, "x")
		if key() == last {
			t.Errorf("%s does not count", name)
		}
		last = key()
	}
}

// A check that does not end in time has an outcome; one that is interrupted has none.
func TestCellLimit(t *testing.T) {
	waits := func(ctx context.Context, _ *site) (*outcome, error) {
		<-ctx.Done()
		return &outcome{OK: true}, nil
	}
	c := &cell{"waits", time.Millisecond, waits}
	o, err := c.run(t.Context(), nil)
	if err != nil || o.OK || o.Says != "not ended in 1ms" {
		t.Errorf("%+v, %v", o, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o, err := c.run(ctx, nil); o != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %+v, %v", o, err)
	}
	c.check = func(context.Context, *site) (*outcome, error) { return nil, errors.New("no go") }
	c.limit = time.Hour
	if o, err := c.run(t.Context(), nil); err != nil || o.OK || !strings.Contains(o.Details, "no go") {
		t.Errorf("%+v, %v", o, err)
	}
}
