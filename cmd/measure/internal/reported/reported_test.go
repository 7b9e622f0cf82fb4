//go:build unix

package reported

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/commandtest"
)

func TestRead(t *testing.T) {
	found, err := Read([]byte(`what the program prints
{"trace":"x","builtin":"deadlock","verdict":"violated","how":"observed","text":"t","count":1,"parties":[{"task":"main.1","does":"waits","op":"lock","at":"a.go:1"}],"schedule":[],"notes":[]}
{"trace":"x","builtin":"closed","verdict":"possible","how":"possible","text":"t","count":1,"parties":[],"schedule":[],"notes":[]}
{"trace":"x","builtin":"stuck","verdict":"holds"}
{"trace":"x","property":"p","verdict":"violated"}
{"trace":"x","property":"q","verdict":"holds"}
panic: no room [recovered, repanicked]
antichain: exit code 1
`))
	if err != nil {
		t.Fatal(err)
	}
	if f := found.Findings; len(f) != 1 || f[0].Builtin != "deadlock" || len(f[0].Parties) != 1 ||
		f[0].Parties[0].At != "a.go:1" {
		t.Errorf("got %+v", f)
	}
	if p := found.Possible; len(p) != 1 || p[0].Builtin != "closed" {
		t.Errorf("possible: got %+v", p)
	}
	if p := found.Properties; len(p) != 1 || p[0].Property != "p" {
		t.Errorf("got %+v", p)
	}
	if p := found.Panics; len(p) != 1 || p[0] != "no room [recovered, repanicked]" {
		t.Errorf("panics: got %q", p)
	}
	found, err = Read([]byte(`{"trace":"x","builtin":"stuck","verdict":"unknown","covered":"records are missing"}` + "\n"))
	if len(found.Findings) != 0 || err == nil ||
		!strings.Contains(err.Error(), "stuck is unknown: records are missing") {
		t.Errorf("unknown: got %v, %v", found, err)
	}
	for _, none := range []string{"", "antichain: cannot build\n",
		`{"trace":"x","property":"p","verdict":"holds"}` + "\n", `{"trace":` + "\n"} {
		if _, err := Read([]byte(none)); err == nil {
			t.Errorf("%q: no error", none)
		}
	}
}

func TestReadProperties(t *testing.T) {
	found, err := ReadProperties([]byte(`{"trace":"x","property":"p","verdict":"violated"}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := found.Properties; len(p) != 1 || p[0].Property != "p" {
		t.Errorf("got %+v", p)
	}
	for _, none := range []string{"antichain: cannot build\n",
		`{"trace":"x","builtin":"stuck","verdict":"holds"}` + "\n"} {
		if _, err := ReadProperties([]byte(none)); err == nil {
			t.Errorf("%q: no error", none)
		}
	}
}

// TestFinish runs programs that end, that end when they are interrupted, and that do not.
func TestFinish(t *testing.T) {
	commandtest.TakeInterrupts()
	const long, short = time.Hour, time.Millisecond
	for _, c := range []struct {
		script string
		limits Limits
		out    string
		err    string
	}{
		{"echo done; exit 7", Limits{long, long}, "done\n", ""},
		{"trap 'echo interrupted; exit' INT; echo ready; while :; do sleep 0.01; done", Limits{time.Second, long},
			"ready\ninterrupted\n", ""},
		{"trap '' INT; echo ready; sleep 1000 & wait", Limits{time.Second, short}, "ready\n", "not ended"},
	} {
		out, err := Finish(t.Context(), exec.Command("sh", "-c", c.script), c.limits)
		if string(out) != c.out {
			t.Errorf("%s: wrote %q, want %q", c.script, out, c.out)
		}
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: error %v, want %q", c.script, err, c.err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Finish(ctx, exec.Command("sleep", "1000"), Limits{long, long}); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}
