//go:build unix

package versions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An exception is a check whose outcome on a minor version differs from the outcome on a supported
// one, because that version lacks something.
type exception struct {
	minor int
	cell  string
	shows *regexp.Regexp // what each part that differs says then, or the outcome of a check without parts
	why   string
}

// exceptions lists every outcome that is expected to differ. It has none for supported versions:
// whatever differs there is an error.
var exceptions = []exception{
	{before, "example lease", regexp.MustCompile(`provides package|requires go >= 1\.26`), "it has antichain compiled in, which asks for Go 1.26"},
	{before, "self-tests of instrument", regexp.MustCompile(`requires go >= 1\.26`), "modules in these tests ask for Go 1.26"},
}

// exceptionFor is why an outcome may differ, nil if it may not.
func exceptionFor(minor int, c *cell, o *outcome) *exception {
	for i := range exceptions {
		e := &exceptions[i]
		if e.minor == minor && e.cell == c.name && !slices.Contains(supported, minor) && e.explains(o) {
			return e
		}
	}
	return nil
}

// explains reports whether all of an outcome shows what the exception is about.
func (e *exception) explains(o *outcome) bool {
	if len(o.Failing) == 0 {
		return e.shows.MatchString(o.Says + "\n" + o.Details)
	}
	return !slices.ContainsFunc(o.Failing, func(p part) bool { return !e.shows.MatchString(p.Said) })
}

// mostBetweenMeans is how far apart the means of single copies may be in ten runs, which differ by
// chance.
const mostBetweenMeans = 2.0

// problems lists everything that differs from what is expected.
func (t *table) problems() []string {
	var all []string
	for i, c := range t.cells {
		for j, r := range t.releases {
			switch o := t.outcomes[i][j]; {
			case o == nil:
				all = append(all, fmt.Sprintf("%s, %s: not run", r.name, c.name))
			case !o.OK && exceptionFor(r.minor, c, o) == nil:
				all = append(all, fmt.Sprintf("%s, %s: %s", r.name, c.name, o.Says))
			}
		}
		switch c.name {
		case gokerAsIs:
			all = append(all, t.differentNames(i)...)
		case gokerSingle:
			all = append(all, t.distantMeans(i)...)
		}
	}
	return all
}

// differentNames compares the programs whose bugs are named with those of the first release that
// has any.
func (t *table) differentNames(row int) []string {
	var all []string
	first := slices.IndexFunc(t.outcomes[row], scored)
	for j, o := range t.outcomes[row] {
		if !scored(o) || j == first {
			continue
		}
		at := t.outcomes[row][first]
		less, more := without(at.Named, o.Named), without(o.Named, at.Named)
		if len(less)+len(more) > 0 {
			all = append(all, fmt.Sprintf("%s: named on %s and not on %s: %s; the other way round: %s", t.cells[row].name,
				t.releases[first].name, t.releases[j].name, orNone(less), orNone(more)))
		}
	}
	return all
}

// distantMeans compares the least and the largest mean.
func (t *table) distantMeans(row int) []string {
	low, high := -1, -1
	for j, o := range t.outcomes[row] {
		if !scored(o) {
			continue
		}
		if low < 0 || o.Mean < t.outcomes[row][low].Mean {
			low = j
		}
		if high < 0 || o.Mean > t.outcomes[row][high].Mean {
			high = j
		}
	}
	if low < 0 || t.outcomes[row][high].Mean-t.outcomes[row][low].Mean <= mostBetweenMeans {
		return nil
	}
	return []string{fmt.Sprintf("%s: on average of one run %.1f on %s and %.1f on %s, more than %g apart", t.cells[row].name,
		t.outcomes[row][low].Mean, t.releases[low].name, t.outcomes[row][high].Mean, t.releases[high].name, mostBetweenMeans)}
}

// scored reports whether an outcome has scores to be compared.
func scored(o *outcome) bool { return o != nil && o.Named != nil }

// without are the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
