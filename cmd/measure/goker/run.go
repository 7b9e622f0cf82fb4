//go:build unix

package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// traced runs a program of the workspace under antichain run and returns what was found, without
// what is only possible.
func traced(ctx context.Context, w *workspace, l reported.Limits, env []string, args ...string) ([]*report.BuiltinObject, error) {
	r, err := reports(ctx, w, l, env, args...)
	return r.Findings, err
}

// reports runs a program of the workspace under antichain run and returns what it reports. A
// program that does not end in time is interrupted: what it did until then is checked.
func reports(ctx context.Context, w *workspace, l reported.Limits, env []string, args ...string) (*reported.Reports, error) {
	cmd := exec.Command(w.antichain, append([]string{"run", "--json"}, args...)...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), env...)
	out, err := reported.Finish(ctx, cmd, l)
	r, unknown := reported.Read(out)
	if r == nil {
		r = new(reported.Reports)
	}
	return r, cmp.Or(err, unknown)
}

// untraced runs an executable of the workspace that writes a profile of leaked goroutines at its
// end and returns which goroutines wait then, and whether the profile calls any of them leaked.
func untraced(ctx context.Context, w *workspace, l reported.Limits, name string, args ...string) ([]report.PartyObject, bool, error) {
	out, err := reported.Finish(ctx, exec.Command(w.path("bin", name), args...), l)
	waiting, leaked := parseDump(string(out))
	return waiting, leaked, err
}
