package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The test binary of a package that has not changed is not linked again. One that has is, and what
// ran before stays as it was.
func TestKeepTestBinary(t *testing.T) {
	t.Parallel()
	dir := writeModule(t, `
-- go.mod --
module example.org/kept

go 1.25
-- a_test.go --
package kept

import "testing"

func Test(t *testing.T) { t.Log("one") }
-- other/a_test.go --
package other

import "testing"

func Test(t *testing.T) {}
`)
	cache := t.TempDir()
	// run returns what is left of the test binary for the next run, and what go test printed.
	run := func(flags []string, rest []string, packages ...string) (left os.FileInfo, out string) {
		t.Helper()
		b, err := Prepare(t.Context(), Config{Verb: Test, Dir: dir, CacheDir: t.TempDir(), GoFlags: flags,
			Packages: packages})
		if err != nil {
			t.Fatal(err)
		}
		b.config.Cache = cache // the toolchain has been tested for the other one
		cmd, err := b.TestCommand(t.Context(), nil, rest)
		if err != nil {
			t.Fatal(err)
		}
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		b.KeepTestBinary()
		if b.test.dir == "" {
			return nil, string(text)
		}
		if left, err = os.Stat(filepath.Join(b.test.dir, "kept.test")); err != nil {
			t.Fatal(err)
		}
		return left, string(text)
	}
	first, _ := run(nil, nil)
	second, _ := run([]string{"-run=Nothing"}, []string{"-test.v"})
	if !os.SameFile(first, second) {
		t.Error("the test is linked again, though nothing has changed")
	}
	source := filepath.Join(dir, "a_test.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte(strings.ReplaceAll(string(text), "one", "two")), 0o600); err != nil {
		t.Fatal(err)
	}
	third, out := run([]string{"-v"}, nil)
	if os.SameFile(first, third) || !strings.Contains(out, "two") {
		t.Errorf("a test that has changed runs as it was: %s", out)
	}
	if fourth, _ := run(nil, []string{"-args", "--", "-c"}); !os.SameFile(third, fourth) {
		t.Error("what is kept is not the test as it is now")
	}

	for _, tt := range []struct{ flags, rest, packages []string }{
		{packages: []string{"./..."}},
		{flags: []string{"-cpuprofile=cpu"}},
		{rest: []string{"-test.cpuprofile", "cpu"}},
	} {
		if left, _ := run(tt.flags, tt.rest, tt.packages...); left != nil {
			t.Errorf("%v: the binary is kept", tt)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "kept.test")); err != nil {
		t.Errorf("no binary lies beside the profile: %v", err)
	}
}
