package testoutput

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Failed tests are found in the output however it is cut into parts.
func TestScanner(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "PASS\n", nil},
		{"passed", "--- PASS: TestA (0.00s)\nok\n", nil},
		{"several, one of them twice", "--- FAIL: TestB (0.10s)\n    b_test.go:3: no\n--- FAIL: TestA (0.00s)\n--- FAIL: TestB (12.00s)\nFAIL\n", []string{"TestB", "TestA"}},
		{"inside of one", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\n", []string{"TestA"}},
		{"as go test -json has it", "\x16--- FAIL: ExampleA_b (0.00s)\n", []string{"ExampleA_b"}},
		{"behind what a test has printed", "no newline--- FAIL: FuzzA (0.00s)\n", []string{"FuzzA"}},
		{"benchmark", "--- FAIL: BenchmarkA (0.00s)\n", nil},
		{"a goroutine of a test panics", "panic: no\n\ngoroutine 7 [running]:\nexample.org/a/b.(*x).f(0x1)\n\t/a.go:3\nexample.org/a/b.TestA.func1()\n\t/a_test.go:3\ncreated by example.org/a/b.TestC in goroutine 6\n", []string{"TestA"}},
		{"a goroutine that a test has started panics", "panic: no\n\ngoroutine 7 [running]:\nmain.f()\n\t/a.go:3\ncreated by main.TestA in goroutine 6\n\t/a_test.go:3\n", []string{"TestA"}},
		{"in a bubble",
			"panic: no\n\ngoroutine 7 [running]:\ntesting/synctest.Test(0x1, 0x2)\n\t/s.go:3\na/b.TestA(0x1)\n\t/a_test.go:3\n", []string{"TestA"}},
		{"of nobody", "panic: no\n\ngoroutine 7 [running]:\nmain.f()\nmain.TestMain(0x1)\nmain.Testing()\ncreated by main.main in goroutine 1\n", nil},
		{"no panic", "main.TestA()\n", nil},
		{"long line", strings.Repeat("x", 3*maxLine) + "\n--- FAIL: TestA (0.00s)\n", []string{"TestA"}},
	} {
		for _, size := range []int{1, 7, len(tt.text)} {
			var s Scanner
			for part := range slices.Chunk([]byte(tt.text), size) {
				s.add(part)
			}
			if got := s.failed(); !slices.Equal(got, tt.want) {
				t.Errorf("%s, in parts of %d: %v", tt.name, size, got)
			}
		}
	}
}

// What is printed comes out as it is.
func TestPipe(t *testing.T) {
	to := create(t)
	p, err := New(to)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("some text\n", 100_000) + "--- FAIL: TestA (0.00s)\nno newline"
	if _, err := io.WriteString(p.File(), text); err != nil {
		t.Fatal(err)
	}
	p.Started()
	if !p.Wait(time.Hour) || !slices.Equal(p.Failed(), []string{"TestA"}) {
		t.Error(p.Failed())
	}
	if got, err := os.ReadFile(to.Name()); err != nil || string(got) != text {
		t.Errorf("%v, %d bytes of %d", err, len(got), len(text))
	}
}

// A process that goes on with the file is not waited for for ever.
func TestPipeStaysOpen(t *testing.T) {
	to := create(t)
	p, err := New(to)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Started()
	if p.Wait(time.Millisecond) {
		t.Error("it is closed")
	}
	if got, err := os.ReadFile(to.Name()); err != nil || string(got) != "*** Test I/O incomplete 1ms after exiting.\n" {
		t.Errorf("%v, %q", err, got)
	}
}

// A test binary whose output nobody takes is told so.
func TestPipeOfNobody(t *testing.T) {
	to := create(t)
	to.Close()
	p, err := New(to)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Started()
	for err == nil {
		_, err = io.WriteString(p.File(), "text\n")
	}
	if !p.Wait(time.Hour) {
		t.Error("it goes on")
	}
}

func create(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
