package tracedbuild

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/report"
)

// Program is one program to be built, with its specification.
type Program struct {
	instrument.Package
	Command       string // the name that go gives to the executable
	Specification specfile.Specification
	Build         *instrument.Build
	Excluded      []string // directories of packages whose findings count as known
}

// IsPackage reports whether a word names a package, not a file: it is a directory, a Go file, a
// pattern, or an import path.
func IsPackage(word string) bool {
	info, err := os.Stat(word)
	switch {
	case strings.HasSuffix(word, ".go"):
		return true
	case err == nil:
		return info.IsDir()
	}
	local := filepath.IsAbs(word) || strings.HasPrefix(word, ".")
	return strings.Contains(word, "...") || strings.Contains(word, "/") && !local
}

// majorVersion is the last element of the path of a module's second or later version.
var majorVersion = regexp.MustCompile(`/v([2-9]|[1-9][0-9]+)$`)

// commandName is the name that go gives to the executable of a package, or of the list of
// files that begins with pattern.
func commandName(importPath, pattern string) string {
	if file, ok := strings.CutSuffix(pattern, ".go"); ok {
		return filepath.Base(file)
	}
	return path.Base(majorVersion.ReplaceAllString(importPath, ""))
}

// Program loads the specification and prepares the build of one program. All mistakes in usage,
// specification and names come out here, before anything runs. What go says goes to w.
func (c *Config) Program(ctx context.Context, w io.Writer) (*Program, error) {
	config, err := c.instrument(instrument.Executable, w)
	if err != nil {
		return nil, err
	}
	matched, err := instrument.ListPackages(ctx, config)
	if err != nil {
		return nil, err
	}
	if len(matched) != 1 {
		return nil, fmt.Errorf("%s matches %s: name one program", strings.Join(c.Packages, " "), wording.Plural(len(matched), "package"))
	}
	p := &Program{Package: matched[0], Command: commandName(matched[0].ImportPath, c.Packages[0])}
	if p.Name != "main" {
		return nil, fmt.Errorf("package %s is not a program: it is named %s, not main (antichain test traces its tests)", p.ImportPath, p.Name)
	}
	if p.Excluded, err = c.excluded(ctx, config); err != nil {
		return nil, err
	}
	if p.Specification, err = c.specification(p.Dir); err != nil {
		return nil, err
	}
	if err := c.admit(p.Specification); err != nil {
		return nil, err
	}
	if request := c.request(p.Specification.Parsed); !wantsNothing(request) {
		config.Specs = []rewrite.Spec{{Package: p.ImportPath, Request: request}}
	}
	config.Named = named(p.Specification.Parsed)
	if p.Build, err = instrument.Prepare(ctx, config); err != nil {
		return nil, err
	}
	warn(w, p.Build)
	announce(w, p.Build)
	return p, nil
}

// announce says of a first build on the progress line why it takes its time.
func announce(w io.Writer, b *instrument.Build) {
	showing, ok := w.(*terminal.Progress)
	isNew, took := b.LibraryTime()
	if !ok || !isNew {
		return
	}
	showing.Doing(libraryText(b.Release.Name, took))
}

func libraryText(release string, took time.Duration) string {
	text := fmt.Sprintf("building the traced program and, once for %s, the standard library", release)
	if took > 0 {
		text += fmt.Sprintf(", which took %v last time", took)
	}
	return text
}

// Info has the facts about a traced binary that only its build knows.
type Info struct {
	Root                string   // directory that positions are relative to
	Untraced, Unwatched []string // what is lost of it with this version of Go; see instrument.Build
	Hidden              string   // why some accesses are not recorded; see instrument.Build
}

// InfoOf returns what the build of a package says of its binary.
func InfoOf(b *instrument.Build, p instrument.Package) Info {
	return Info{Root: p.Root, Untraced: b.Untraced, Unwatched: b.Unwatched, Hidden: b.Hidden}
}

// Source returns where the source of a package is that is built, and of all that is built in.
func Source(b *instrument.Build, p instrument.Package) report.Source {
	return report.Source{
		Dirs: []string{p.Root, p.Dir}, Modules: b.Modules, Cache: b.ModCache, From: terminal.WorkingDir(),
	}
}
