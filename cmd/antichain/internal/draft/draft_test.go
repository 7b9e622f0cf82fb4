package draft

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

const server = `package server

import "sync"

type Server struct{ mu sync.Mutex }

var Open, open int

func (s *Server) Close() { s.mu.Lock(); defer s.mu.Unlock() }

func (s *Server) close() {}

func (s *Server) serve() { go s.next() }

func (s *Server) next() {}

func generic[T any](x T) {}
`

// drafted returns the draft of a package with that source.
func drafted(t *testing.T, src string) *Draft {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestProbe is a specification.
func TestProbe(t *testing.T) {
	d := drafted(t, server)
	file, err := spec.Parse("probe.tl", d.Probe())
	if err != nil {
		t.Fatalf("%v in\n%s", err, d.Probe())
	}
	if len(file.Properties) < 2*len(d.all)-len(d.variables) {
		t.Errorf("%d properties of %d candidates", len(file.Properties), len(d.all))
	}
	if d.IsProgram() {
		t.Error("it is no program")
	}
}

// TestKeep keeps what holds and says something, of as many kinds as possible, and gives names once.
func TestKeep(t *testing.T) {
	d := drafted(t, server)
	var report strings.Builder
	silent := -1
	for i, c := range d.all {
		verdict := "holds"
		if c.kind == exclusive && silent < 0 {
			silent = i
		} else if c.silent != "" {
			fmt.Fprintf(&report, "{\"property\":\"silent_%d\",\"verdict\":\"violated\"}\n", i)
		}
		if c.kind == noneAfter {
			verdict = "violated"
		}
		fmt.Fprintf(&report, "{\"property\":\"candidate_%d\",\"verdict\":%q}\n", i, verdict)
		if i == silent {
			fmt.Fprintf(&report, "{\"property\":\"silent_%d\",\"verdict\":\"holds\"}\n", i)
		}
	}
	said := d.all[silent].name
	n, err := d.Keep([]byte(report.String()))
	if err != nil || n != useful {
		t.Fatal(n, err)
	}
	kinds := map[kind]bool{}
	for _, c := range d.all {
		kinds[c.kind] = true
		if c.kind == noneAfter || c.name == said && c.kind == exclusive {
			t.Errorf("%s is kept", c.name)
		}
	}
	if len(kinds) != useful {
		t.Errorf("the kinds are %v", kinds)
	}
	text, err := d.Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.Parse("server.tl", text); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if _, err := d.Keep(nil); err == nil {
		t.Error("nothing was checked, and that is no error")
	}
}

// TestStates are about variables, their fields, and constants as limits.
func TestStates(t *testing.T) {
	d := drafted(t, `package state

const limit, none, name = 10, 0, "x"

var length uint

var closed bool

var ring struct{ first, last int; text string }
`)
	var got []string
	for _, c := range d.states() {
		got = append(got, c.formula)
	}
	for _, want := range []string{
		"t:(closed == true) -> not sometime t:(closed == false)", "t:(ring.first >= 0)", "t:(ring.first <= limit)",
		"t:(ring.first <= ring.last)", "t:(length <= limit)",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	for _, c := range got {
		for _, never := range []string{"none", "name", "text", "length >= 0"} {
			if strings.Contains(c, never) {
				t.Errorf("%s cannot be meant", c)
			}
		}
	}
	if file, err := spec.Parse("probe.tl", d.Probe()); err != nil || len(file.Properties) == 0 {
		t.Error(err)
	}
}

// TestGrounds: a lock that is held in both functions enforces what holds; nothing else does.
func TestGrounds(t *testing.T) {
	d := drafted(t, server)
	for _, c := range d.candidates() {
		if want := c.name == "exclusive_server_close" && strings.Contains(c.formula, "Close"); c.enforced != want {
			t.Errorf("%s, %s: enforced is %v", c.name, c.formula, c.enforced)
		}
	}
}
