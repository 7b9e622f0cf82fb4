//go:build linux && (amd64 || arm64)

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tracer/event"
)

// A traced program that uses every way of synchronising, from its build to its net.
func TestTracedProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	dir, err := filepath.Abs("../process/testdata/program")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	build, err := instrument.Prepare(t.Context(), instrument.Config{
		Dir: dir, CacheDir: filepath.Join(tmp, "cache"), Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
	})
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(tmp, "program")
	if err := build.CompileAgain(t.Context(), bin); err != nil {
		t.Fatal(err)
	}
	table, err := instrument.TableOf(bin)
	if err != nil {
		t.Fatal(err)
	}
	private(t)
	for _, full := range []bool{true, false} {
		var b *san.Builder
		ops := map[string]int{}
		r, err := Start(t.Context(), Config{
			Binary: bin, Table: table, Full: full, Root: dir, RunID: "run",
			Header: func(h *event.Header) (err error) {
				b, err = san.NewBuilder(h)
				return err
			},
			Event: func(e *event.Event) error {
				ops[e.Op]++
				if e.Op == "lock" && strings.HasPrefix(e.At, "main.go:") {
					ops["lock in main.go"]++
				}
				return b.Add(e, e.Task)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if res.ExitCode != 0 || res.Missing != 0 {
			t.Errorf("full=%v: %+v", full, res)
		}
		net, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if net.Header().Run != "run" || net.Tasks() < 50 {
			t.Errorf("full=%v: header %+v, %d tasks", full, net.Header(), net.Tasks())
		}
		for _, op := range []string{"send", "recv", "close", "lock", "unlock", "rlock", "runlock", "wait", "done",
			"add", "once", "signal", "broadcast", "load", "store", "cas", "lock in main.go"} {
			if full != (ops[op] > 0) {
				t.Errorf("full=%v: %d of %q", full, ops[op], op)
			}
		}
		if ops["go"] < 50 || ops["end"] < 40 {
			t.Errorf("full=%v: %v", full, ops)
		}
	}
}
