package filekind_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/filekind"
	"github.com/antichain-go/antichain/tracer/event"
)

// What stands in a file decides, then its name.
func TestOf(t *testing.T) {
	var binary bytes.Buffer
	w := event.NewBinaryWriter(&binary, &event.Header{Tasks: []string{"main"}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	executable, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if got := filekind.Of(dir); got != filekind.Directory {
		t.Errorf("a directory is %v", got)
	}
	if got := filekind.Of(filepath.Join(dir, "missing.tl")); got != filekind.Unknown {
		t.Errorf("what is not there is %v", got)
	}
	const text = `{"antichain":1,"tasks":["main"]}` + "\n"
	for _, test := range []struct {
		name, content string
		want          filekind.Kind
	}{
		{"a.jsonl", text, filekind.Trace},
		{"b.tl", "\ufeff\n " + text, filekind.Trace},
		{"c.trace", binary.String(), filekind.Trace},
		{"d.go", "ANCRING1", filekind.Trace},
		{"e.tl", "property p: t:(in.f)", filekind.Specification},
		{"f.tl", "", filekind.Specification},
		{"g.go", "package main", filekind.GoFile},
		{"h.tl", string(executable[:64]), filekind.Executable},
		{"i.log", "a log\n", filekind.Unknown},
		{"j", "", filekind.Unknown},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := filekind.Of(path); got != test.want {
			t.Errorf("%s is %v, want %v", test.name, got, test.want)
		}
		asTrace, asSpec := filekind.CheckTrace(path), filekind.CheckSpecification(path)
		if free := test.want == filekind.Unknown; (asTrace == nil) != (free || test.want == filekind.Trace) ||
			(asSpec == nil) != (free || test.want == filekind.Specification) {
			t.Errorf("%s: as a trace %v, as a specification %v", test.name, asTrace, asSpec)
		}
	}
}
