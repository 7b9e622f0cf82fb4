package tracedbuild

import (
	"context"
	"fmt"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
)

// excluded returns the directories of the packages that are to be left out.
func (c *Config) excluded(ctx context.Context, config instrument.Config) ([]string, error) {
	if len(c.Exclude) == 0 {
		return nil, nil
	}
	var dirs []string
	for _, pattern := range c.Exclude { // one by one: each of them has to match something
		config.Packages = []string{pattern}
		packages, err := instrument.ListPackages(ctx, config)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		if len(packages) == 0 {
			return nil, fmt.Errorf("--exclude %s matches no package", pattern)
		}
		for _, p := range packages {
			dirs = append(dirs, p.Dir)
		}
	}
	return dirs, nil
}

func pathsOf(packages []instrument.Package) []string {
	paths := make([]string, len(packages))
	for i, p := range packages {
		paths[i] = p.ImportPath
	}
	return paths
}

// without returns the packages that are not among the excluded ones.
func without(packages []instrument.Package, excluded []string) []instrument.Package {
	return slices.DeleteFunc(packages, func(p instrument.Package) bool { return slices.Contains(excluded, p.Dir) })
}
