package helper

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
)

// A directory of helpers has two files for each: KEY holds the hash of the executable, which is a
// part of the executable's name. Both are renamed into place, so several processes may do it at the
// same time. An executable with another hash is compiled again.

// executable returns the helper in a directory, compiled if it is not there.
func (r *Reader) executable(ctx context.Context, dir string) (string, error) {
	packages := r.packages
	if packages == nil {
		packages = sources()
	}
	files, err := moduleFiles(packages)
	if err != nil {
		return "", err
	}
	files["go.mod"] = goMod(r.Toolchain.Version)
	note := filepath.Join(dir, r.key(files))
	if exe, ok := r.cachedExecutable(note); ok {
		return exe, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", &unusableError{err}
	}
	cachedir.RemoveOld(dir)
	tmp, err := os.MkdirTemp(dir, "build-*")
	if err != nil {
		return "", &unusableError{err}
	}
	defer os.RemoveAll(tmp)
	if err := writeFiles(tmp, files); err != nil {
		return "", &unusableError{err}
	}
	if err := r.compile(ctx, tmp); err != nil {
		return "", err
	}
	exe, err := r.keep(tmp, note)
	if err != nil {
		return "", &unusableError{err}
	}
	return exe, nil
}

// key is a hash of a helper's inputs.
func (r *Reader) key(files map[string][]byte) string {
	t := r.Toolchain
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", t.Version, t.HostOS, t.HostArch, t.Experiment)
	if _, ok := releaseOf(t.Version); !ok {
		// The version does not distinguish two states of a toolchain under development.
		for _, file := range []string{"bin/go", "pkg/tool/" + t.HostOS + "_" + t.HostArch + "/compile"} {
			if info, err := os.Stat(filepath.Join(t.Root, filepath.FromSlash(file)) + t.suffix()); err == nil {
				fmt.Fprintf(h, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	addFiles(h, files)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// suffix returns the end of the names of executables.
func (t *Toolchain) suffix() string {
	if t.HostOS == "windows" {
		return ".exe"
	}
	return ""
}

// exeName is the name of an executable in the directory of note, by its hash.
func (r *Reader) exeName(note, sum string) string {
	return filepath.Join(filepath.Dir(note), "helper-"+sum[:32]+r.Toolchain.suffix())
}

// cachedExecutable returns the executable of a note, if both are intact.
func (r *Reader) cachedExecutable(note string) (exe string, ok bool) {
	text, err := os.ReadFile(note)
	if err != nil || len(text) != hex.EncodedLen(sha256.Size) {
		return "", false
	}
	exe = r.exeName(note, string(text))
	sum, err := hashOf(exe)
	if err != nil || sum != string(text) {
		return "", false
	}
	cachedir.Use(note, exe)
	return exe, true
}

func hashOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// keep moves the executable in tmp to its final place, and notes its hash.
func (r *Reader) keep(tmp, note string) (exe string, err error) {
	built := filepath.Join(tmp, built)
	sum, err := hashOf(built)
	if err != nil {
		return "", err
	}
	text := filepath.Join(tmp, "hash")
	if err := os.WriteFile(text, []byte(sum), 0o600); err != nil {
		return "", err
	}
	exe = r.exeName(note, sum)
	return exe, errors.Join(os.Rename(built, exe), os.Rename(text, note))
}

// built is the name of the executable in the directory where it is compiled.
const built = "built"

// compile makes the toolchain compile the helper in the module at dir.
func (r *Reader) compile(ctx context.Context, dir string) error {
	t := r.Toolchain
	name := t.Go
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		name = filepath.Join(r.Dir, name)
	}
	cmd := gocommand.New(ctx, name, "build", "-o", built, "./"+mainDir)
	cmd.Dir = dir
	cmd.Env = gocommand.EnvIn(dir, t.Env)
	// If GOFLAGS were empty, the user's file of settings would count.
	cmd.Env = append(slices.Clip(cmd.Env), "GOFLAGS=-trimpath", "GOWORK=off", "GO111MODULE=on", "GOPROXY=off",
		"GOSUMDB=off", "GONOSUMDB=*",
		"CGO_ENABLED=0", "GOOS="+t.HostOS, "GOARCH="+t.HostArch, "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off",
		"GOTOOLCHAIN="+toolchainName(t.Version), "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the program that does it does not compile (go build: %w: %s); %s", err,
			firstLine(string(bytes.TrimSpace(out))), rebuild(t.Version))
	}
	return nil
}
