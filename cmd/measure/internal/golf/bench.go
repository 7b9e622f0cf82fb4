//go:build unix

package golf

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/reported"
)

// A source is a commit of a repository.
type source struct{ repository, commit string }

// artifact is that of the paper.
var artifact = source{
	repository: "https://github.com/VladSaioc/asplos-artifact-2025",
	commit:     "552a9ded0552467669e4f9a954f4bb8a4e692d77",
}

// tests is where the artifact has its programs.
const tests = "tester/tests"

// Directories of the module.
const (
	asIs   = "asis"   // the programs as they are
	single = "single" // single copies
)

// The parts of the artifact's tests that are run. The rest are bugs in which no goroutine waits,
// and leaks that GOLF cannot find by design.
var parts = []string{"deadlock", "correct"}

// fetch makes a module with the programs.
func fetch(ctx context.Context, from source, module string) error {
	to := filepath.Join(module, asIs)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	repository := "--git-dir=" + module + ".git"
	checkout := []string{repository, "--work-tree=" + module, "checkout", "--quiet", from.commit, "--"}
	for _, part := range parts {
		checkout = append(checkout, tests+"/"+part)
	}
	for _, args := range [][]string{
		{repository, "init", "--quiet"},
		{repository, "remote", "add", "origin", from.repository},
		{repository, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", from.commit},
		checkout,
	} {
		if out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, part := range parts {
		if err := os.Rename(filepath.Join(module, tests, part), filepath.Join(to, part)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(module, "go.mod"), []byte("module golf\n\ngo 1.25\n"), 0o666)
}

// A bench is the module and an executable of antichain.
type bench struct{ module, antichain string }

// patience is what a run takes at most, with the build before it.
var patience = reported.Limits{Program: 2 * time.Minute, Check: 2 * time.Minute}

// check runs a program once.
func (b *bench) check(ctx context.Context, dir string) (*reported.Reports, error) {
	cmd := exec.Command(b.antichain, "run", "--json", "./"+filepath.ToSlash(dir))
	cmd.Dir = b.module
	out, err := reported.Finish(ctx, cmd, patience)
	if err != nil {
		return nil, err
	}
	return reported.Read(out)
}
