// Package atomicfile writes files wholly or not at all.
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Writable reports why a file cannot be put there, without leaving a trace.
func Writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a plain file", path)
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".antichain-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// cause is an error without the name of a temporary file.
func cause(err error) error {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err
	}
	return err
}

// Target is the absolute path of the file that Write gives a content: where symbolic links lead.
func Target(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // a new file
		path = filepath.Join(dir, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// Write replaces the content of a file atomically. An existing file keeps its mode, and a symbolic
// link is followed. A new file gets the mode.
func Write(path string, content []byte, mode os.FileMode) (err error) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".antichain-*")
	if err != nil {
		return cause(err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(content); err != nil {
		return cause(err)
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := errors.Join(f.Chmod(mode), f.Close()); err != nil {
		return cause(err)
	}
	return os.Rename(f.Name(), path)
}

// Flag is a flag that names a file to be written.
type Flag string

// errStdout says why a file cannot have that name. What else goes to standard output would be mixed
// with its content.
var errStdout = errors.New("this is not written to standard output, which has other lines: name a file, or ./- for one that is called so")

// CheckName refuses the name that stands for standard output elsewhere.
func CheckName(name string) error {
	if name == "-" {
		return errStdout
	}
	return nil
}

// Set implements pflag.Value.
func (f *Flag) Set(name string) error {
	*f = Flag(name)
	return CheckName(name)
}

// String implements pflag.Value.
func (f *Flag) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *Flag) Type() string { return "string" }
