package frontend

import (
	"path/filepath"
	"strings"
)

// Package is a package as go list describes it.
type Package struct {
	ImportPath, Name, Dir string
	ForTest               string
	GoFiles               []string
	CgoFiles, SFiles      []string // with C, and in assembly
	Imports               []string
	ImportMap             map[string]string
	Export                string
	Standard, DepOnly     bool
	Module                *Module
	Error                 *PackageError
}

// Module is the module of a package.
type Module struct {
	Path, Version, Dir, GoVersion string
	Main                          bool
}

// PackageError is an error in a package, as far as go list sees it.
type PackageError struct{ Pos, Err string }

// ListFields are the fields that go list must be asked for.
const ListFields = "ImportPath,Name,Dir,ForTest,GoFiles,CgoFiles,SFiles,Imports,ImportMap,Export,Standard," +
	"DepOnly,Module,Error"

// PlainPath is an import path without the mark of a test variant.
func PlainPath(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// Root is the directory of the module of a package, or else of the package.
func (l *Package) Root() string {
	if l.Module != nil && l.Module.Dir != "" {
		return l.Module.Dir
	}
	return l.Dir
}

// isNameable reports whether names can mean a package: not the standard library, not the
// generated main packages of tests, not a package compiled again for another's test.
func (l *Package) isNameable() bool {
	if l.Standard || l.Name == "" || strings.HasSuffix(l.ImportPath, ".test") {
		return false
	}
	path := PlainPath(l.ImportPath)
	return l.ForTest == "" || path == l.ForTest || path == l.ForTest+"_test"
}

// Program is the packages of a build and where their files are.
type Program struct {
	Packages []*Package // as go list orders them: dependencies come first
	// the module cache, whose files go build does not replace; "" if there is none
	ModCache string
	Replace  map[string]string // the user's own overlay
}

// Locked says why the files of a package cannot be replaced, "" if they can.
func (p *Program) Locked(l *Package) string {
	if Below(l.Dir, p.ModCache) {
		return "it lies in the module cache, whose files go build does not replace; use go mod vendor, a replace " +
			"directive or a workspace"
	}
	return ""
}

// Find returns the variant of a package that has the most files: with the files of its
// own test.
func (p *Program) Find(path string) *Package {
	var found *Package
	for _, l := range p.Packages {
		if l.isNameable() && PlainPath(l.ImportPath) == path && (found == nil || l.ForTest != "") {
			found = l
		}
	}
	return found
}

// Main returns the program that is built, nil if there is none.
func (p *Program) Main() *Package {
	for _, l := range p.Packages {
		if !l.DepOnly && l.Name == "main" {
			return l
		}
	}
	return nil
}

// Below reports whether path lies in dir.
func Below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Absolute is the path of a file that is named relative to dir.
func Absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
