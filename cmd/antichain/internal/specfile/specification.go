package specfile

import (
	"path/filepath"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// Specification is a parsed specification of a program, with its origin.
type Specification struct {
	Source
	Parsed []*spec.File `json:"-"` // one for each file and formula, and one for --shared
}

// Parse reads and parses the files and formulas.
func (f *Source) Parse() (Specification, error) {
	parsed, err := f.Load()
	return Specification{*f, parsed}, err
}

// Properties returns all properties of the specification.
func (s *Specification) Properties() []*spec.Property { return Properties(s.Parsed) }

// Absolute returns the specification with absolute paths, which reports then show.
func (s *Specification) Absolute() Specification {
	named := Specification{s.Source, make([]*spec.File, len(s.Parsed))}
	named.Files = Absolute(s.Files)
	copy(named.Parsed, s.Parsed)
	for i, path := range named.Files {
		if i < len(named.Parsed) {
			named.Parsed[i] = renamed(named.Parsed[i], path)
		}
	}
	return named
}

// renamed returns the file under another name.
func renamed(file *spec.File, name string) *spec.File {
	other := *file
	other.Name = name
	other.Properties = make([]*spec.Property, len(file.Properties))
	for i, p := range file.Properties {
		property := *p
		property.File = name
		other.Properties[i] = &property
	}
	return &other
}

// Absolute returns absolute paths. Without a working directory it does not change them.
func Absolute(paths []string) []string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = p
		if abs, err := filepath.Abs(p); err == nil {
			all[i] = abs
		}
	}
	return all
}
