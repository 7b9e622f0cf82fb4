package instrument

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/internal/cachedir"
)

// Linking takes longer than all other steps for a program that was traced before and has not
// changed. The go command skips it if the output exists already and records the same inputs. So the
// last executable of each program and specification is kept, and lent to the go command.

// keptBytes bounds their size together.
const keptBytes = 2 << 30

// CompileAgain is Compile for a temporary executable, of a program that may have been built before.
// As go run does, it leaves out debug information, which shortens linking by a third, and the state
// of the repository, for which go build runs git. Flags of the user decide otherwise.
func (b *Build) CompileAgain(ctx context.Context, output string) error {
	kept, err := b.keptExecutable()
	if err != nil {
		return err
	}
	strip := withoutDebug
	if b.hasFlag("ldflags") {
		strip = ""
	}
	flags := b.linkerFlags(strip)
	if !b.hasFlag("buildvcs") {
		flags = append(flags, withoutVCS)
	}
	l := lend(kept, output)
	if err := b.compile(ctx, output, flags); err != nil {
		return err
	}
	l.end(output)
	return nil
}

// hasFlag reports whether the user has a flag of this name.
func (b *Build) hasFlag(name string) bool {
	return slices.ContainsFunc(b.all, func(f goFlag) bool { return f.name == name })
}

// loan is an executable that was kept, while the go command may write another one in its place.
type loan struct {
	kept string      // its name, whether it is there or not
	lent os.FileInfo // nil if it was not
}

// lend puts an executable that was kept, if there is one, where the go command is to write it.
func lend(kept, output string) loan {
	l := loan{kept: kept}
	if isExecutable(kept) && linkOrCopy(kept, output) == nil {
		cachedir.Use(kept)
		l.lent, _ = os.Lstat(output)
	}
	return l
}

// end keeps the executable if it is a new one. That replaces the old one as another file, since the
// old one may be in use elsewhere.
func (l loan) end(output string) {
	after, err := os.Lstat(output)
	if err == nil && !(l.lent != nil && os.SameFile(l.lent, after)) {
		keepExecutable(output, l.kept)
	}
}

// isExecutable reports whether a file is an executable: the go command refuses to write another one
// over anything else.
func isExecutable(file string) bool {
	f, err := elf.Open(file)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// keptExecutable is the name under which the executable is kept.
func (b *Build) keptExecutable() (string, error) { return b.keptWith(b.config.GoFlags) }

// keptWith returns the name under which the executable is kept that is built with these flags of
// the user.
func (b *Build) keptWith(flags []string) (string, error) {
	dir, err := b.config.cacheDir("executables")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %v %+v %+v", b.config.Dir, b.config.Packages, flags,
		b.config.Memory, b.config.Specs, b.config.Lines))
	return filepath.Join(dir, hex.EncodeToString(sum[:16])), nil
}

// keepExecutable keeps an executable. If that fails it is built again the next time.
func keepExecutable(output, kept string) {
	dir := filepath.Dir(kept)
	cachedir.RemoveOld(dir)
	defer cachedir.KeepNewest(dir, keptBytes)
	temp, err := os.MkdirTemp(dir, "new-*")
	if err != nil {
		return
	}
	defer os.RemoveAll(temp)
	file := filepath.Join(temp, "executable")
	if linkOrCopy(output, file) == nil {
		_ = os.Rename(file, kept)
	}
}

// linkOrCopy makes a file the same as another one, with a copy where the two file systems differ.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
		return err
	}
	return nil
}
