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

	"github.com/antichain-go/antichain/internal/cachedir"
)

// Linking takes longer than all other steps for a program that was traced before and has not
// changed. The go command skips it if the output exists already and records the same inputs. So the
// last executable of each program and specification is kept, and lent to the go command.

// keptBytes bounds their size together.
const keptBytes = 1 << 30

// CompileAgain is Compile for a temporary executable, of a program that may have been built before.
// It leaves out debug information, as go run does, which shortens linking by a third.
func (b *Build) CompileAgain(ctx context.Context, output string) error {
	kept, err := b.keptExecutable()
	if err != nil {
		return err
	}
	var before os.FileInfo
	if isExecutable(kept) && linkOrCopy(kept, output) == nil {
		cachedir.Use(kept)
		before, _ = os.Lstat(output)
	}
	if err := b.compile(ctx, output, false); err != nil {
		return err
	}
	// A new executable replaces the old one as another file, since the old one may be in use
	// elsewhere.
	after, err := os.Lstat(output)
	if err == nil && !(before != nil && os.SameFile(before, after)) {
		keepExecutable(output, kept)
	}
	return nil
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
func (b *Build) keptExecutable() (string, error) {
	dir, err := b.config.cacheDir("executables")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %v %+v %+v", b.config.Dir, b.config.Packages, b.config.GoFlags,
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
