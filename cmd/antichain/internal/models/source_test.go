package models

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
)

const (
	structure = `{"states":2,"start":0,"labels":[["a"],["b"]],"succ":[[1],[]]}`
	lock      = `param n = 2;
declare y : [0..1];
initially y = 1;
for i in 1..n process P[i]
  L: if y = 1 { y := 0; goto C; }
  C: { y := 1; goto L; }
end
`
	traceText = `{"antichain":1,"tasks":["t0"]}` + "\n"
)

// TestReadAny has each kind of content, with the resulting model.
func TestReadAny(t *testing.T) {
	noTrace := errors.New("no trace")
	tests := []struct {
		name, content string
		parameters    map[string]int64
		states        int
		wrong         string
	}{
		{"a structure", structure, nil, 2, ""},
		{"a structure behind a byte order mark", "\ufeff" + structure, nil, 2, ""},
		{"a program", lock, nil, 3, ""},
		{"a program with a parameter", lock, map[string]int64{"n": 3}, 4, ""},
		{"a trace", traceText, nil, 1, ""},
		{"a structure with a parameter", structure, map[string]int64{"n": 3}, 0,
			"is a structure, which has no parameters: leave out --param"},
		{"a trace with a parameter", traceText, map[string]int64{"n": 3}, 0,
			"is a trace, which has no parameters: leave out --param"},
		{"a compressed trace", "\x1f\x8b\x08\x00\xff", nil, 0, "no trace"},
		{"no structure", "{", nil, 0, "model:1:"},
		{"no program", "process", nil, 0, "model:1:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("model", []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			read := func(context.Context, string) (*san.Net, error) {
				if test.content != traceText {
					return nil, noTrace
				}
				b, err := san.NewBuilder(&event.Header{Tasks: []string{"t0"}})
				if err != nil {
					return nil, err
				}
				return b.Finish()
			}
			m, err := (&Source{File: "model", Parameters: test.parameters}).ReadAny(t.Context(), nil, read)
			var g *kripke.Graph
			if err == nil {
				g, err = m.Explore(t.Context(), true, kripke.MaxStates)
			}
			switch {
			case test.wrong != "":
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Errorf("%v, want %s", err, test.wrong)
				}
			case err != nil:
				t.Error(err)
			case g.States() != test.states:
				t.Errorf("%d states, want %d", g.States(), test.states)
			}
		})
	}
}

func TestRead(t *testing.T) {
	if m, err := (&Source{}).Read(t.Context(), nil); m != nil || err != nil {
		t.Errorf("no source: %v, %v", m, err)
	}
	m, err := (&Source{File: "-"}).Read(t.Context(), strings.NewReader(lock))
	if err != nil || !m.Program || m.Name != "standard input" {
		t.Errorf("standard input: %v, %v", m, err)
	}
	if _, err := (&Source{File: filepath.Join(t.TempDir(), "none")}).Read(t.Context(), nil); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if testing.Short() {
		return // what follows takes memory
	}
	endless := zeros{}
	if _, err := (&Source{File: "-"}).Read(t.Context(), endless); err == nil ||
		!strings.Contains(err.Error(), "standard input is longer than the limit of 256 MiB for models") {
		t.Errorf("endless: %v", err)
	}
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestExplore has limits that suffice, and do not.
func TestExplore(t *testing.T) {
	m := &Model{Name: "lock", Text: []byte(lock), Program: true}
	for most, want := range map[int]error{2: kripke.ErrMany, 3: nil, kripke.MaxStates: nil} {
		if _, err := m.Explore(t.Context(), false, most); !errors.Is(err, want) {
			t.Errorf("at most %d: %v, want %v", most, err, want)
		}
	}
}

// TestKeysModel has the models of questions.
func TestKeysModel(t *testing.T) {
	program, given := lock, &Model{Name: "given"}
	tests := []struct {
		name  string
		keys  Keys
		given *Model
		want  string // the name of the model
		wrong string
	}{
		{"the given one", Keys{}, given, "given", ""},
		{"none", Keys{}, nil, "", `no model given: add the key "structure" or "program", or the flag --model`},
		{"null", Keys{Structure: []byte("null")}, given, "given", ""},
		{"a structure", Keys{Structure: []byte(structure)}, given, "structure", ""},
		{"a program", Keys{Program: &program}, nil, "program", ""},
		{"both", Keys{Structure: []byte(structure), Program: &program}, given, "",
			`both "structure" and "program" given: leave one of them out`},
	}
	for _, test := range tests {
		m, err := test.keys.Model(test.given, nil)
		switch {
		case test.wrong != "":
			if err == nil || err.Error() != test.wrong {
				t.Errorf("%s: %v, want %s", test.name, err, test.wrong)
			}
		case err != nil || m.Name != test.want:
			t.Errorf("%s: %v, %v, want %s", test.name, m, err, test.want)
		}
	}
}

// TestProgram has the complete output for a program.
func TestProgram(t *testing.T) {
	p, err := ReadProgram(t.Context(), strings.NewReader(lock), Source{File: "-", Parameters: map[string]int64{"n": 3}})
	if err != nil {
		t.Fatal(err)
	}
	size, err := p.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, err := p.FirstStates(2)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		write      func(*bytes.Buffer) error
	}{
		{"text", "L : if y = 1", func(b *bytes.Buffer) error { return p.WriteText(b) }},
		{"size", "// n = 3\n// processes: P1, P2, P3\n// 4 states, 6 transitions\n", func(b *bytes.Buffer) error {
			return size.Write(b)
		}},
		{"JSON", `{"program":"-","parameters":{"n":3},"processes":["P1","P2","P3"],"states":4,"transitions":6,"dead_ends":0}` + "\n", func(b *bytes.Buffer) error {
			return report.WriteObject(b, size.Object())
		}},
		{"flow graphs", "digraph", func(b *bytes.Buffer) error { return p.Flow().Write(b, false) }},
		{"first states", "<svg", func(b *bytes.Buffer) error { return first.Write(b, true) }},
	}
	for _, test := range tests {
		var b bytes.Buffer
		if err := test.write(&b); err != nil || !strings.Contains(b.String(), test.want) {
			t.Errorf("%s lacks %q: %v\n%s", test.name, test.want, err, &b)
		}
	}
	_, err = ReadProgram(t.Context(), strings.NewReader(structure), Source{File: "-"})
	if err == nil || err.Error() != "standard input is a structure in JSON, not a program" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stopped *kripke.StoppedError
	if _, err := p.Size(ctx); !errors.As(err, &stopped) {
		t.Errorf("%v is no StoppedError", err)
	}
}
