//go:build linux && (amd64 || arm64)

package goroot

import (
	"debug/elf"
	"debug/gosym"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/process/exe"
	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// symbols turns return addresses of a program into lines of its main.go.
type symbols struct {
	table *gosym.Table
	file  *exe.File // which knows what is inlined
}

func readSymbols(t *testing.T, name string) symbols {
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := f.Section(".gopclntab").Data()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, f.Section(".text").Addr))
	if err != nil {
		t.Fatal(err)
	}
	file, err := exe.Open(name, exe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return symbols{table, file}
}

// caller is the line in main.go that a return address leads to, also from what is inlined there; 0
// if it is elsewhere.
func (s symbols) caller(pc uint64) int {
	at := s.file.Location([]uint64{pc}).At
	if _, line, ok := strings.Cut(at, "main.go:"); ok {
		n, _ := strconv.Atoi(line)
		return n
	}
	return 0
}

// line is the line in main.go that pc returns to, 0 if it is elsewhere.
func (s symbols) line(pc uint64) int {
	if pc == 0 {
		return 0
	}
	file, line, _ := s.table.PCToLine(pc - 1)
	if filepath.Base(file) != "main.go" {
		return 0
	}
	return line
}

func (s symbols) lines(r *ring.Record) []string {
	what := strings.TrimSpace(r.Kind.String() + " " + r.Op().String())
	if op := r.Op(); (op == ring.OpLock || op == ring.OpRLock) && r.Arg&ring.OpTried != 0 {
		what += " tried"
	}
	switch r.Kind {
	case ring.KindHandoff:
		return []string{
			fmt.Sprint(s.line(r.PC[0]), " handoff0"),
			fmt.Sprint(s.line(r.PC[1]), " handoff1"),
		}
	case ring.KindAtomicLoad, ring.KindAtomicStore, ring.KindAtomicRMW, ring.KindMakeChan:
		what = r.Kind.String()
	}
	for _, pc := range r.PC {
		if line := s.line(pc); line != 0 {
			return []string{fmt.Sprint(line, " ", what)}
		}
	}
	return nil
}

// The first return address in the program is the line of the operation: exactly,
// without knowledge of inlining, also for a goroutine that was parked there.
func TestSites(t *testing.T) {
	exe := program(t, "sites")
	src, err := os.ReadFile("testdata/sites/main.go")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for i, line := range strings.Split(string(src), "\n") {
		if _, comment, ok := strings.Cut(line, "// "); ok && i > 10 {
			want[fmt.Sprint(i+1, " ", comment)] = true
		}
	}
	sym := readSymbols(t, exe)
	got := map[string]bool{}
	trace(t, ring.Options{Atomics: true}, func(r *ring.Record) {
		for _, l := range sym.lines(r) {
			got[l] = true
		}
	}, exec.Command(exe)).ok(t)
	for l := range want {
		if !got[l] {
			t.Errorf("no record: %s", l)
		}
	}
	if t.Failed() {
		t.Logf("records: %v", got)
	}
}
