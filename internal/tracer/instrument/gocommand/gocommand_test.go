//go:build unix

package gocommand_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
)

// The end of the context reaches what the command has started, too.
func TestInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	cmd := gocommand.New(ctx, "sh", "-c",
		`trap "echo parent; exit 3" INT; sh -c 'trap "echo child; exit" INT; echo ready; while :; do sleep 0.01; done'; :`)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var got []string
	for lines.Scan() {
		if got = append(got, lines.Text()); lines.Text() == "ready" {
			interrupt()
		}
	}
	_ = cmd.Wait() // that of the context
	slices.Sort(got)
	if want := "child parent ready"; strings.Join(got, " ") != want {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// A go command leaves its temporary files where it is said, unless the user says it.
func TestEnvIn(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		dir  string
		env  []string
		want string
	}{
		{dir, append(os.Environ(), "GOTMPDIR="), dir},
		{dir, append(os.Environ(), "GOTMPDIR="+filepath.Dir(dir)), filepath.Dir(dir)},
		{"", append(os.Environ(), "GOTMPDIR="), ""},
	} {
		cmd := exec.Command("go", "env", "GOTMPDIR")
		cmd.Env = gocommand.EnvIn(tt.dir, tt.env)
		if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != tt.want {
			t.Errorf("GOTMPDIR is %s (%v), want %s", out, err, tt.want)
		}
	}
}
