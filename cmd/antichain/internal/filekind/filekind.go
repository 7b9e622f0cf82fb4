// Package filekind distinguishes files that users confuse: traces, specifications and programs.
package filekind

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/internal/bom"
	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// Kind is the kind of a file.
type Kind uint8

// The kinds. Unknown includes files that cannot be read, or only once, such as a pipe.
const (
	Unknown Kind = iota
	Trace
	Specification
	GoFile
	Executable
	Directory
)

// String returns the kind with its article.
func (k Kind) String() string {
	return [...]string{"of an unknown kind", "a trace", "a specification", "a Go file", "an executable",
		"a directory"}[k]
}

// Of returns the kind of a file. Its content counts more than its name.
func Of(path string) Kind {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Unknown
	case info.IsDir():
		return Directory
	case !info.Mode().IsRegular():
		return Unknown
	}
	head := HeadOf(path)
	switch {
	case IsTrace(head):
		return Trace
	case isExecutable(head):
		return Executable
	}
	switch filepath.Ext(path) {
	case ".tl":
		return Specification
	case ".go":
		return GoFile
	}
	return Unknown
}

// HeadOf returns the beginning of a file; nothing if it cannot be read, or only once.
func HeadOf(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // to read it may take any time, or take what is read away from others
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 1<<12)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil
	}
	return head[:n]
}

// IsTrace reports whether head begins an uncompressed trace, in any form.
func IsTrace(head []byte) bool {
	text := bytes.TrimLeft(bom.Trim(head), " \t\r\n")
	return bytes.HasPrefix(text, []byte(`{"antichain"`)) || bytes.HasPrefix(head, []byte(event.BinaryMagic)) ||
		ring.IsFile(head)
}

// isExecutable reports whether head begins an executable of Linux, macOS or Windows.
func isExecutable(head []byte) bool {
	return slices.ContainsFunc([]string{"\x7fELF", "\xcf\xfa\xed\xfe", "MZ"}, func(magic string) bool {
		return bytes.HasPrefix(head, []byte(magic))
	})
}

// CheckTrace returns an error if a file is certainly no trace.
func CheckTrace(path string) error {
	name := event.Printable(path)
	switch kind := Of(path); kind {
	case Specification:
		return fmt.Errorf("%s is %v, not a trace: give it with --spec %s, and name a trace besides", name, kind, name)
	case GoFile, Directory:
		return fmt.Errorf("%s is %v, not a trace: name a trace file; antichain run traces and checks a Go program, and its -o FILE keeps the trace", name, kind)
	case Executable:
		return fmt.Errorf("%s is %v, not a trace: name a trace file; antichain run traces and checks a program, which it builds from its package", name, kind)
	}
	return nil
}

// CheckSpecification returns an error if a file is certainly no specification.
func CheckSpecification(path string) error {
	name := event.Printable(path)
	switch kind := Of(path); kind {
	case Trace:
		return fmt.Errorf("%s is %v, not a specification: name it without --spec, and give a .tl file with --spec or a formula with -e", name, kind)
	case GoFile, Executable:
		return fmt.Errorf("%s is %v, not a specification: --spec names a .tl file; the program that antichain run traces is named without a flag", name, kind)
	case Directory:
		return fmt.Errorf("%s is %v, not a specification: name a .tl file in it; without --spec antichain run and test read those beside the package", name, kind)
	}
	return nil
}
