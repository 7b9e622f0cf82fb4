package tracedbuild

import (
	"fmt"
	"path/filepath"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/wording"
)

// specification parses what is named, or the *.tl files in dir.
func (c *Config) specification(dir string) (specfile.Specification, error) {
	from := c.Source
	if err := from.Beside(dir); err != nil {
		return specfile.Specification{}, err
	}
	return from.Parse()
}

// specifications says what to check on each package.
func (c *Config) specifications(packages []instrument.Package) (map[string]specfile.Specification, error) {
	specs := map[string]specfile.Specification{}
	if !c.Source.Given() {
		for _, p := range packages {
			spec, err := c.specification(p.Dir)
			if err != nil {
				return nil, err
			}
			specs[p.ImportPath] = spec
		}
		return specs, nil
	}
	all, err := c.Source.Parse()
	if err != nil {
		return nil, err
	}
	for i, file := range c.Source.Files {
		p, err := ownerOf(file, packages)
		if err != nil {
			return nil, err
		}
		s := specs[p.ImportPath]
		s.Files, s.Parsed = append(s.Files, file), append(s.Parsed, all.Parsed[i])
		specs[p.ImportPath] = s
	}
	if len(c.Source.Formulas)+len(c.Source.Shared) > 0 {
		p, err := ownerOf("-e", packages)
		if err != nil {
			return nil, err
		}
		s := specs[p.ImportPath]
		s.Formulas, s.Shared, s.Parsed = c.Source.Formulas, c.Source.Shared, append(s.Parsed, all.Parsed[len(c.Source.Files):]...)
		specs[p.ImportPath] = s
	}
	return specs, nil
}

// ownerOf returns the package in which the names of a specification are looked up.
func ownerOf(file string, packages []instrument.Package) (instrument.Package, error) {
	if len(packages) == 1 {
		return packages[0], nil
	}
	if dir, err := filepath.Abs(filepath.Dir(file)); err == nil && file != "-e" {
		for _, p := range packages {
			if p.Dir == dir {
				return p, nil
			}
		}
	}
	return instrument.Package{}, fmt.Errorf("%s: which of the %s do its names belong to? Put the specification into the package's directory, or name one package",
		file, wording.Plural(len(packages), "package"))
}
