//go:build unix

package verifying

import (
	"go/parser"
	"go/token"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/measure/goker/kernel"
)

// TestFixes applies all fixes, and what is left of them.
func TestFixes(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := kernel.Load(kernel.Dir(strings.TrimSpace(string(goroot))))
	if err != nil {
		t.Skip(err)
	}
	all, err := fixes(fixesText)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 59 {
		t.Errorf("there are %d fixes", len(all))
	}
	for _, f := range all {
		i := slices.IndexFunc(kernels, func(k *kernel.Kernel) bool { return k.Name == f.kernel })
		if i < 0 {
			t.Errorf("there is no kernel %s", f.kernel)
			continue
		}
		k := kernels[i]
		single, err := k.Single()
		if err != nil {
			t.Fatal(err)
		}
		fixed, err := f.apply(string(single), "_"+k.File())
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", fixed, 0); err != nil {
			t.Errorf("%s: %v", f.kernel, err)
		}
		left := 0
		for _, h := range f.halves() {
			text, err := h.apply(string(single), "_"+k.File())
			if err == nil && text == fixed {
				t.Errorf("%s: %s is the fix", f.kernel, h.without)
			}
			if err == nil {
				left++
			}
		}
		if left == 0 {
			t.Errorf("%s: nothing can be taken out", f.kernel)
		}
	}
}

const buggy = `
func f() {
	mu.Lock() // first

	n++
	mu.Unlock()
	n++
}`

// TestApply makes changes, and finds no place for others.
func TestApply(t *testing.T) {
	parse := func(text string) *fix {
		all, err := fixes(text)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	f := parse("K\n=mu.Lock()\n-n++\n=mu.Unlock()\n+n_X--\n\n=func f() {\n+defer g()\n")
	got, err := f.apply(buggy, "_k")
	want := strings.Replace(buggy, "\n\tn++\n\tmu.Unlock()", "\n\tmu.Unlock()\nn_k--", 1)
	want = strings.Replace(want, "{\n", "{\ndefer g()\n", 1)
	if err != nil || got != want {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
	var left []string
	for _, h := range f.halves() {
		left = append(left, h.without)
	}
	wantLeft := []string{
		`without change 1 of 2, at "mu.Lock()"`, `without change 2 of 2, at "func f() {"`, `with "n++" again`,
		`without "n_X--"`, `without "defer g()"`, "without all of it",
	}
	if !slices.Equal(left, wantLeft) {
		t.Errorf("got %q, want %q", left, wantLeft)
	}
	for _, text := range []string{"K\n-n++\n", "K\n-n--\n", "K\n=n++\n=n++\n"} {
		if got, err := parse(text).apply(buggy, ""); err == nil {
			t.Errorf("%q: no error: %s", text, got)
		}
	}
	if _, err := fixes("+n\n"); err == nil {
		t.Error("a change of no kernel is no error")
	}
}
