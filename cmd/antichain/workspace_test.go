//go:build linux && (amd64 || arm64)

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
)

// workspace is a directory with a program that a test has written. The environment of its commands
// is their own, so that tests run at the same time.
type workspace struct {
	t    *testing.T
	dir  string
	temp string   // where builds, and processes that are killed, leave things behind
	env  []string // of the commands
}

func newWorkspace(t *testing.T, files map[string]string) *workspace {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a traced program")
	}
	w := &workspace{t: t, dir: commandtest.Directory(t), temp: t.TempDir()}
	w.env = append(os.Environ(), "TMPDIR="+w.temp, "XDG_RUNTIME_DIR=", "NO_COLOR=1", "TERM=xterm")
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

// newMain is a workspace with one file, main.go.
func newMain(t *testing.T, program string) *workspace {
	t.Helper()
	return newWorkspace(t, map[string]string{"main.go": program})
}

// newCounting is a workspace with the counting program, and its specification in m.tl.
func newCounting(t *testing.T) *workspace {
	t.Helper()
	return newWorkspace(t, map[string]string{"go.mod": "module m\n\ngo 1.26\n", "main.go": counting, "m.tl": countingSpec})
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// command is a command in the workspace's directory.
func (w *workspace) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// fakeDelve puts a shell script named dlv into the commands' PATH.
func (w *workspace) fakeDelve(script string) {
	w.t.Helper()
	dir := w.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dlv"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		w.t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// checkEmpty fails if anything was left behind.
func (w *workspace) checkEmpty(when string) {
	w.t.Helper()
	if left, err := os.ReadDir(w.temp); err != nil || len(left) > 0 {
		w.t.Errorf("%s: left behind: %v, %v", when, left, err)
	}
}
