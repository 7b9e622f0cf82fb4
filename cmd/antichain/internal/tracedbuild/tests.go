package tracedbuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/tracer/instrument"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
)

// Tests are the tests of packages to be built, with their specifications by import path.
type Tests struct {
	Packages       []instrument.Package
	Specifications map[string]specfile.Specification
	Build          *instrument.Build
	Excluded       []string // directories of packages that are not tested or reported
}

// Tests loads the specifications and prepares the build of the tests of packages, as Program does
// for a program.
func (c *Config) Tests(ctx context.Context, w io.Writer) (*Tests, error) {
	config, err := c.instrument(instrument.Test, w)
	if err != nil {
		return nil, err
	}
	packages, err := instrument.ListPackages(ctx, config)
	if err != nil {
		return nil, err
	}
	excluded, err := c.excluded(ctx, config)
	if err != nil {
		return nil, err
	}
	if len(excluded) > 0 {
		if packages = without(packages, excluded); len(packages) == 0 {
			return nil, fmt.Errorf("--exclude %s leaves no package to test", strings.Join(c.Exclude, " "))
		}
		config.Packages = pathsOf(packages)
	}
	specs, err := c.specifications(packages)
	if err != nil {
		return nil, err
	}
	var mistakes []error
	for _, p := range packages {
		mistakes = append(mistakes, c.admit(specs[p.ImportPath]))
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, err
	}
	for _, p := range packages {
		// Without anything to record, a test binary has nothing that could halt it, unlike an
		// executable.
		if request := c.request(specs[p.ImportPath].Parsed); c.Halts || !wantsNothing(request) {
			config.Specs = append(config.Specs, rewrite.Spec{Package: p.ImportPath, Request: request})
		}
		config.Named = append(config.Named, named(specs[p.ImportPath].Parsed)...)
	}
	build, err := instrument.Prepare(ctx, config)
	if err != nil {
		return nil, err
	}
	warn(w, build)
	return &Tests{packages, specs, build, excluded}, nil
}
