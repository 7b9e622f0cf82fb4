package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// withoutVCS is the flag with which go does not run git.
const withoutVCS = "-buildvcs=false"

// list describes the packages that the patterns match. extra are further flags of go list, such as
// -deps.
func (c *Config) list(ctx context.Context, flags []goFlag, overlayFile string, extra ...string) ([]*frontend.Package,
	error) {
	args := append([]string{"list", "-e", "-json=" + frontend.ListFields}, extra...)
	if c.Verb == Test {
		args = append(args, "-test")
	}
	if overlayFile != "" {
		args = append(args, "-overlay="+overlayFile)
	}
	for _, f := range flags {
		if buildGoFlags[f.name] {
			args = append(args, f.words...)
		}
	}
	out, err := c.output(ctx, append(append(args, withoutVCS, "--"), c.Packages...)...)
	if err != nil {
		return nil, err
	}
	var packages []*frontend.Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(frontend.Package)
		if err := dec.Decode(p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// errorsIn collects the errors of the listed packages.
func errorsIn(packages []*frontend.Package) error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range packages {
		if p.Error == nil {
			continue
		}
		text := strings.TrimSpace(p.Error.Err)
		if p.Error.Pos != "" && !strings.Contains(text, p.Error.Pos) {
			text = p.Error.Pos + ": " + text
		}
		if !seen[text] {
			seen[text] = true
			errs = append(errs, errors.New(text))
		}
	}
	return errors.Join(errs...)
}

// fileList is go's import path for a package whose files are named one by one.
const fileList = "command-line-arguments"

// addedToList returns the new files of a package whose files are named one by one: they must be
// named, too. Elsewhere go finds new files by itself.
func addedToList(p *frontend.Program, files map[string][]byte) []string {
	l := p.Find(fileList)
	if l == nil {
		return nil
	}
	listed := make(map[string]bool) // tests may be in a package of their own
	for _, of := range p.Packages {
		if of.Dir == l.Dir {
			for _, name := range slices.Concat(of.GoFiles, of.CgoFiles) {
				listed[name] = true
			}
		}
	}
	var added []string
	for path := range files {
		dir, name := filepath.Split(path)
		if filepath.Clean(dir) == l.Dir && !listed[name] {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	return added
}

// modulesOf returns the directories of the modules of a program that are not in the module cache,
// by the paths that the compiler substitutes for them with -trimpath.
func modulesOf(prog *frontend.Program) map[string]string {
	dirs := map[string]string{}
	for _, l := range prog.Packages {
		if l.Module != nil && l.Module.Dir != "" &&
			!strings.HasPrefix(l.Module.Dir, prog.ModCache+string(filepath.Separator)) {
			name := l.Module.Path
			if l.Module.Version != "" {
				name += "@" + l.Module.Version
			}
			dirs[name] = l.Module.Dir
		}
	}
	return dirs
}
