package instrument

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
)

// The test binary of a package that is tested alone is kept and lent, too, in a directory of its
// own. The name is up to go test, which refuses several packages whose binaries have the same one.

// testBinary is the place where go test leaves a test binary.
type testBinary struct {
	dir  string // "" if it leaves none
	kept string // what the names begin with under which it is kept
	loan loan
}

// copiesBinary are the flags with which go test copies the binary to the working directory.
var copiesBinary = set("c o cpuprofile memprofile blockprofile mutexprofile")

// lendTestBinary lends the test binary that was kept. It does not if go test is to copy the binary
// elsewhere, or if the user names another directory to run it in. rest is what follows the
// packages.
func (b *Build) lendTestBinary(rest []string) {
	isArgs := func(word string) bool { return word == "-args" || word == "--args" }
	if i := slices.IndexFunc(rest, isArgs); i >= 0 {
		rest = rest[:i]
	}
	copies := slices.ContainsFunc(slices.Concat(b.all, parseGoFlags(rest)), func(f goFlag) bool {
		return goFlagIn(copiesBinary, f.name)
	})
	dir := filepath.Join(b.config.CacheDir, "test")
	if !b.alone || copies || b.config.CacheDir == "" || gocommand.TempDir(b.config.Env) != "" ||
		cachedir.Private(dir) != nil {
		return
	}
	var flags []string
	for _, f := range b.flags {
		if buildGoFlags[f.name] || strings.HasPrefix(f.name, "cover") {
			flags = append(flags, f.words...)
		}
	}
	kept, err := b.keptWith(flags)
	if err != nil {
		return
	}
	b.test = testBinary{dir: dir, kept: kept + "-"}
	if there, _ := filepath.Glob(b.test.kept + "*"); len(there) > 0 {
		b.test.loan = lend(there[0], filepath.Join(dir, strings.TrimPrefix(there[0], b.test.kept)))
	}
}

// KeepTestBinary keeps the test binary that the command of TestCommand has left, for later builds.
func (b *Build) KeepTestBinary() {
	b.library.noteBuilt(0) // go test does not say how long it has built
	entries, err := os.ReadDir(b.test.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		l := loan{b.test.kept + e.Name(), b.test.loan.lent}
		l.end(filepath.Join(b.test.dir, e.Name()))
	}
}

// isAlone reports whether a single package is tested.
func isAlone(prog *frontend.Program) bool {
	tested := make(map[string]bool)
	for _, l := range prog.Packages {
		if !l.DepOnly && l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") {
			tested[l.ImportPath] = true
		}
	}
	return len(tested) == 1
}
