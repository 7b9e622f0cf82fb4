package goroot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWriteIsStable(t *testing.T) {
	a, err := Write(t.TempDir(), goroot(), Options{})
	if err != nil {
		t.Fatal(err, a)
	}
	dir := t.TempDir()
	b, err := Write(dir, goroot(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash != b.Hash || len(a.Replace) != len(b.Replace) {
		t.Error("two overlays of the same tree differ")
	}
	if len(a.Lacks) != 0 {
		t.Errorf("the full overlay lacks %v", a.Lacks)
	}
	times := func() (all []string) {
		own := filepath.Join(dir, b.Hash[:32])
		entries, err := os.ReadDir(own)
		if err != nil {
			t.Fatal(err)
		}
		if want := len(b.Replace) - len(ofDetector); len(entries) != want {
			t.Errorf("%d files for %d that are replaced", len(entries), want)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Name(), info.ModTime().String())
		}
		return all
	}
	before := times()
	if _, err := Write(dir, goroot(), Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, times()); d != "" {
		t.Error("files with the same content were written again:", d)
	}

	// A damaged overlay is made again; one that has not been used for long goes when another is
	// made.
	_, damaged := someFile(b.Replace)
	if err := os.WriteFile(damaged, []byte("package main"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-100 * 24 * time.Hour)
	if err := os.Mkdir(filepath.Join(dir, "old"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "old"), old, old); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Memory: true}} {
		if _, err := Write(dir, goroot(), opt); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(damaged); err != nil || string(text) == "package main" {
		t.Errorf("%s is still damaged (%v)", damaged, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2*2 {
		t.Errorf("%v, %v; want an overlay each with and without memory accesses, and its note", entries, err)
	}
}

func someFile(replace map[string]string) (from, to string) {
	for from, to = range replace {
		if to != "" {
			break
		}
	}
	return from, to
}

// A failure to write files says nothing about the toolchain.
func TestWriteNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() (*Overlay, error){
		"Write":   func() (*Overlay, error) { return Write(file, goroot(), Options{}) },
		"Prepare": func() (*Overlay, error) { return Prepare(t.Context(), Toolchain{}, Options{}, file, "") },
	} {
		var unusable *WriteError
		if _, err := try(); !errors.As(err, &unusable) || strings.Contains(err.Error(), "tracing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Objects of one GOROOT have its names in them, and must not be taken for those of another one:
// Go's cache distinguishes them only by the content of the files.
func TestWriteKnowsGoroot(t *testing.T) {
	link := filepath.Join(t.TempDir(), "go")
	if err := os.Symlink(goroot(), link); err != nil {
		t.Fatal(err)
	}
	here, there := newGenerator(goroot(), Options{}), newGenerator(link, Options{})
	if err := errors.Join(here.generate(), there.generate()); err != nil {
		t.Fatal(err)
	}
	for name, text := range here.files {
		if there.files[name] == text {
			t.Errorf("%s is the same file in another GOROOT", name)
		}
	}
}

// A standard library that has changed anywhere that matters gets an overlay without what rests on
// that, and the error names the patch.
func TestChangedLibrary(t *testing.T) {
	l := readLibrary(t, goroot())
	for _, test := range []struct {
		file, old, new string
		want           string // of the reason
		lacks          []string
	}{
		{"runtime/chan.go", "racenotify(c, c.sendx, nil)", "racenotify(c, c.sendx)", "buffered send",
			[]string{"channel waits", "channels"}},
		{"runtime/chan.go", "racesync(c, sg)", "racesync(c)", "send to a waiting receiver, unbuffered",
			[]string{"joint transfers"}},
		{"runtime/proc.go", "const randomizeScheduler = raceenabled", "", "scheduler", []string{"steering"}},
		{"sync/once.go", "done atomic.Bool", "done atomic.Uint32", "once field", []string{"Once"}},
		{"sync/atomic/asm.s", "TEXT ·AddInt32(SB)", "TEXT ·AddInt33(SB)", "AddInt32", []string{"atomics"}},
		{"sync/atomic/doc.go", "func AddInt32(addr *int32", "func AddInt32(addr int32", "AddInt32",
			[]string{"atomics"}},
		{"runtime/metrics.go", "raceenabled", "raceon", "runtime/metrics.go", []string{"inner order"}},
		{"internal/sync/mutex.go", "", "", "internal/sync", []string{"turns", "Mutex", "halting", "steering"}},
		{"runtime/time.go", "return t.stop()", "return t.halt()", "timer stop", []string{"timers", "bubbles"}},
	} {
		changed := l.clone()
		if test.old == "" {
			delete(changed.files, test.file)
		} else {
			text := l.text(test.file)
			if !strings.Contains(text, test.old) {
				t.Fatalf("%s has no %q", test.file, test.old)
			}
			changed.set(test.file, strings.ReplaceAll(text, test.old, test.new))
		}
		g := changed.generator(Options{})
		if err := g.generate(); err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		var names []string
		for _, l := range g.missing() {
			names = append(names, l.Name)
			if !strings.Contains(l.Why.Error(), test.want) {
				t.Errorf("%s: the reason for the lack of %s, %v, does not name %q", test.file, l.Name, l.Why, test.want)
			}
		}
		if d := cmp.Diff(test.lacks, names); d != "" {
			t.Errorf("%s: lacks (-want +got):\n%s", test.file, d)
		}
		if g.files["runtime/race0.go"] == "" {
			t.Errorf("%s: the overlay does not replace race0.go", test.file)
		}
	}
}

func TestNoOverlayAtAll(t *testing.T) {
	var mismatch *MismatchError
	if _, err := Write(t.TempDir(), t.TempDir(), Options{}); !errors.As(err, &mismatch) {
		t.Errorf("overlay for an empty tree: %v", err)
	}
}

// A capability that is left out on request takes those with it that need it.
func TestWithout(t *testing.T) {
	why := errors.New("for a test")
	o, err := Write(t.TempDir(), goroot(), Options{Without: map[string]error{"timers": why}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range o.Lacks {
		names = append(names, l.Name)
		if !errors.Is(l.Why, why) || l.Gives == "" {
			t.Errorf("%+v", l)
		}
	}
	if d := cmp.Diff([]string{"timers", "bubbles"}, names); d != "" {
		t.Error(d)
	}
	if _, ok := o.Replace[filepath.Join(goroot(), "src/runtime/time.go")]; !ok {
		t.Error("what halting changes in time.go is not there")
	}
}
