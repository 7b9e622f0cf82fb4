//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/report"
)

// recorded is traced, with the trace kept. It is an error if antichain check and antichain monitor find something else on that than
// antichain run has found.
func recorded(ctx context.Context, w *workspace, l limits, env []string, args ...string) ([]*report.BuiltinObject, error) {
	dir, err := os.MkdirTemp("", "goker-trace-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	trace := filepath.Join(dir, "trace.bin")
	found, err := traced(ctx, w, l, env, append([]string{"-o", trace}, args...)...)
	if err != nil {
		return found, err
	}
	want := keysOf(found)
	for _, verb := range [][]string{
		{"check", "--json", trace},
		{"monitor", "--json", "--builtin", "deadlock,stuck,closed,waitgroup,unlock", "--keep-going", "--until-eof", trace},
	} {
		cmd := exec.Command(w.antichain, verb...)
		cmd.Dir = w.dir
		out, err := finish(ctx, cmd, l)
		if err != nil {
			return found, err
		}
		onTrace, err := findings(out)
		if err != nil {
			return found, fmt.Errorf("antichain %s: %w", verb[0], err)
		}
		if got := keysOf(onTrace); !slices.Equal(got, want) {
			return found, fmt.Errorf("antichain %s finds\n%s\nand antichain run\n%s", verb[0], strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	return found, nil
}

// keysOf tells findings apart: what is violated, where, and how that is known. What was predicted and has happened then has happened.
func keysOf(found []*report.BuiltinObject) []string {
	hows := map[string]string{}
	for _, f := range found {
		var parties []string
		for _, p := range f.Parties {
			parties = append(parties, p.Op+"@"+p.At)
		}
		slices.Sort(parties)
		key := f.Builtin + " " + strings.Join(slices.Compact(parties), " ")
		if hows[key] != "observed" {
			hows[key] = f.How
		}
	}
	var keys []string
	for key, how := range hows {
		keys = append(keys, key+" "+how)
	}
	slices.Sort(keys)
	return keys
}
