// Package gocommand runs the go command, and ends it together with its child processes.
package gocommand

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// patience is the time that an interrupted go command may take to end.
const patience = 20 * time.Second

// New returns a go command that the end of the context interrupts, together with the compilers that
// it has started. The default of name is "go".
func New(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(name, "go"), args...)
	interruptible(cmd)
	cmd.WaitDelay = patience
	return cmd
}

// EnvIn returns the environment of a go command that leaves nothing outside of dir when it is
// interrupted. env is its environment otherwise; nil is the environment of this process.
func EnvIn(dir string, env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	if dir == "" || TempDir(env) != "" {
		return env
	}
	return append(slices.Clip(env), "GOTMPDIR="+dir)
}

// TempDir is the directory that an environment names for temporary files of go commands, "" if it
// names none. nil is the environment of this process.
func TempDir(env []string) (dir string) {
	if env == nil {
		env = os.Environ()
	}
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "GOTMPDIR="); ok {
			dir = value
		}
	}
	return dir
}
