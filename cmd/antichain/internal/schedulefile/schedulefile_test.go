package schedulefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/tracer/op"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A list has the schedules of the module alone, the newest first.
func TestList(t *testing.T) {
	module := t.TempDir()
	below := filepath.Join(module, "bank")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	place := Place{Dir: t.TempDir()}
	write(t, filepath.Join(below, "bank.go"), "package bank\n")
	write(t, filepath.Join(place.Dir, "broken.schedule"), "hello\n")
	write(t, filepath.Join(place.Dir, "notes.txt"), "antichain schedule 1\nmain lock at bank/bank.go:2\n")
	lock := func(at string, of ...schedule.Goroutine) *schedule.Schedule {
		return &schedule.Schedule{Comment: []string{"deadlock: a cycle"}, Goroutines: of,
			Steps: []schedule.Step{{Goroutine: "main", Kind: op.Lock, Nth: 1, Line: schedule.Line{At: at}}}}
	}
	started := schedule.Goroutine{Name: "main.1", By: "main", Nth: 1,
		Line: schedule.Line{At: "testing/testing.go:9", Function: "testing.(*T).Run"}}
	var files []string
	all := []*schedule.Schedule{lock("bank/bank.go:2"), lock("bank/bank.go:3", started), lock("other/other.go:2")}
	for i, s := range all {
		file, err := place.Write("example.com/m", "deadlock", s)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	newer := Kept{File: files[1], Shows: "deadlock: a cycle", Test: true}
	older := Kept{File: files[0], Shows: "deadlock: a cycle"}
	for _, dir := range []string{module, below} {
		got, further, err := place.List(dir, 10)
		d := cmp.Diff([]Kept{newer, older}, got, cmpopts.IgnoreFields(Kept{}, "Made"))
		if d != "" || further != 0 || err != nil {
			t.Errorf("in %s: %v, %d further, -want +got:\n%s", dir, err, further, d)
		}
	}
	got, further, err := place.List(module, 1)
	if len(got) != 1 || got[0].File != newer.File || further != 1 || err != nil {
		t.Errorf("of at most one: %v, %d further, %v", got, further, err)
	}
	if _, _, err := (Place{Dir: filepath.Join(module, "missing")}).List(module, 1); err == nil {
		t.Error("a directory that is not there has a list")
	}
	if got, _, err := (Place{Cache: t.TempDir()}).List(module, 1); len(got) > 0 || err != nil {
		t.Errorf("a cache without schedules has %v, %v", got, err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
