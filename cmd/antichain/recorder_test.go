package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/launch"
)

// A trace that lacks something is not kept: nothing in it would say so.
func TestKeepTrace(t *testing.T) {
	for _, tt := range []struct {
		missing uint64
		kept    bool
	}{{0, true}, {3, false}} {
		r := &recorder{path: filepath.Join(t.TempDir(), "trace.bin")}
		if err := r.begin(&event.Header{Tasks: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		if err := r.add(&event.Event{Task: "main", Op: "end"}); err != nil {
			t.Fatal(err)
		}
		err := r.keep(&launch.Result{Missing: tt.missing, Why: "the checker was stopped"})
		if (err == nil) != tt.kept {
			t.Errorf("%d missing: error %v", tt.missing, err)
		}
		if err != nil && !strings.Contains(err.Error(), "at least 3 records of the program lost: the checker was stopped") {
			t.Errorf("error does not say what is missing: %v", err)
		}
		if _, err := os.Stat(r.path); (err == nil) != tt.kept || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d missing: trace file: %v", tt.missing, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(r.path)); !tt.kept && len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// A trace that cannot be written any further, on a full disk, is no reason to check less.
func TestUnwritableTrace(t *testing.T) {
	r := &recorder{path: filepath.Join(t.TempDir(), "trace.jsonl"), check: true}
	if err := r.begin(&event.Header{Tasks: []string{"main"}}); err != nil {
		t.Fatal(err)
	}
	r.file.Abandon() // from now on nothing can be written
	for r.unkept == nil && r.events < 1<<20 {
		if err := r.add(&event.Event{Task: "main"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.add(&event.Event{Task: "main"}); err != nil {
		t.Fatal(err)
	}
	if err := r.keep(&launch.Result{}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v, want that of the file", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(r.path)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	net, err := r.net()
	if err != nil || net.Events() != r.events {
		t.Errorf("net of %d events: %v", r.events, err)
	}
}
