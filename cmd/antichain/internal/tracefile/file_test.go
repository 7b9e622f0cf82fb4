package tracefile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
)

// A trace has its name when it is complete, and not before.
func TestWholeOrNotAtAll(t *testing.T) {
	for name, form := range map[string]Form{"a.jsonl": Text, "a.json": Text, "a.trace": Binary} {
		path := filepath.Join(t.TempDir(), name)
		if got := FormOf(path); got != form {
			t.Errorf("%s: form %s, want %s", name, got, form)
		}
		for _, finished := range []bool{false, true} {
			f, err := Create(path, form, &event.Header{Tasks: []string{"main"}})
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Write(&event.Event{Task: "main", Op: "end"}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s is there before it is complete", name)
			}
			if !finished {
				f.Abandon()
			} else if err := f.Finish(); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadDir(filepath.Dir(path))
			if err != nil || (len(left) > 0) != finished {
				t.Errorf("%s, finished %v: %v, %v", name, finished, left, err)
			}
		}
		if err := CheckOverwritable(path); err != nil {
			t.Errorf("a trace cannot be overwritten: %v", err)
		}
	}
}

// What is no trace is left alone.
func TestCheckOverwritable(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("not a trace\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, dir, filepath.Join(dir, "none", "a.trace")} {
		if err := CheckOverwritable(path); err == nil {
			t.Errorf("%s could be overwritten", path)
		}
	}
	if err := CheckOverwritable(filepath.Join(dir, "new.trace")); err != nil {
		t.Error(err)
	}
}
