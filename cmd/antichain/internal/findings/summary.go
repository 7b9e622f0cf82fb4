package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/tlcheck"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
)

// Summary sums up the results of the built-in properties, of one run or several.
type Summary struct {
	On       []builtin.Property // that were checked; none if nothing was
	Violated []builtin.Property
	Possible []builtin.Property // that have possible findings, and perhaps others
	Known    []builtin.Property // that have known findings
	Unknown  string             // why there is no verdict on the others; "" if there is
	Runs     int                // that have a verdict

	Panicked bool // in some run the program has panicked by itself, which panic does not report

	UnknownIn []string // the test binaries, by package, that have none

	Unwatched map[builtin.Property]string // why there is no verdict on single ones of them
	Vacuous   map[builtin.Property]string // why single ones of them could not have been violated

	Open openWaits
}

// IsUnknown reports whether there is no verdict on some property.
func (s *Summary) IsUnknown() bool { return s.Unknown != "" || len(s.Unwatched) > 0 }

// Settle draws the conclusions from the confirmations in the results that the summary is of.
func (s *Summary) Settle(results []*tlcheck.Assessment) {
	for _, r := range results {
		r.Settle()
	}
	s.Violated, s.Possible = nil, nil
	s.note(results)
}

// Confirmed returns the results with one more, a candidate that has happened. The summary includes
// it then.
func (s *Summary) Confirmed(results []*tlcheck.Assessment, a *tlcheck.Assessment) []*tlcheck.Assessment {
	a.Settle()
	s.note([]*tlcheck.Assessment{a})
	i := slices.IndexFunc(results, func(r *tlcheck.Assessment) bool { return r.Builtin == a.Builtin })
	if i >= 0 && results[i].Finding == nil { // it holds no more
		results = slices.Clone(results)
		results[i] = a
		return results
	}
	return slices.Insert(slices.Clone(results), i+1, a)
}

// note adds the properties with findings, and says whether these are news.
func (s *Summary) note(results []*tlcheck.Assessment) {
	for _, r := range results {
		if r.Finding == nil || r.Verdict == tlcheck.Unknown {
			continue
		}
		s.noteOne(r)
		for i := range r.Finding.Also {
			s.noteOne(r.Also(i))
		}
	}
}

func (s *Summary) noteOne(r *tlcheck.Assessment) {
	to := &s.Possible
	switch {
	case !r.IsNews():
		to = &s.Known
	case r.Verdict == tlcheck.Violated:
		to = &s.Violated
	}
	*to = union(*to, []builtin.Property{r.Builtin})
}

// unknown returns the properties without a verdict, and why.
func (s *Summary) unknown() map[builtin.Property]string {
	unknown := make(map[builtin.Property]string)
	for _, p := range s.On {
		if why := cmp.Or(s.Unknown, s.Unwatched[p]); why != "" {
			unknown[p] = why
		}
	}
	return unknown
}

// Include adds the summary of the test binary of a package.
func (s *Summary) Include(pkg string, other *Summary) {
	if other.Unknown != "" {
		s.UnknownIn = append(s.UnknownIn, pkg)
	}
	s.Runs += other.Runs
	s.Open.include(&other.Open)
	s.add(other)
}

// IncludeRun adds the summary of another run of the same program.
func (s *Summary) IncludeRun(other *Summary) {
	s.Unknown = cmp.Or(s.Unknown, other.Unknown)
	s.Runs = max(s.Runs, other.Runs)
	s.add(other)
}

// add adds what is known of single properties.
func (s *Summary) add(other *Summary) {
	s.On = union(s.On, other.On)
	s.Violated = union(s.Violated, other.Violated)
	s.Possible = union(s.Possible, other.Possible)
	s.Known = union(s.Known, other.Known)
	s.Panicked = s.Panicked || other.Panicked
	for p, why := range other.Unwatched {
		if s.Unwatched == nil {
			s.Unwatched = make(map[builtin.Property]string)
		}
		s.Unwatched[p] = why
	}
}

func union(a, b []builtin.Property) []builtin.Property {
	return slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool {
		return !slices.Contains(a, p) && !slices.Contains(b, p)
	})
}

// Text returns the lines that say which properties are not violated, or unknown, which were not
// checked, and what was left open; "" if there is nothing to say.
func (s *Summary) Text() string { return s.verdicts() + s.Open.text() }

func (s *Summary) verdicts() string {
	rest := s.withoutFindings()
	var single string
	for _, p := range rest {
		if why := s.Unwatched[p]; why != "" && s.Unknown == "" {
			single += fmt.Sprintf("%s: unknown: %s\n", p, event.Printable(why))
		}
	}
	rest = slices.DeleteFunc(rest, func(p builtin.Property) bool { return s.Unknown == "" && s.Unwatched[p] != "" })
	for _, p := range rest {
		if why := s.Vacuous[p]; why != "" {
			single += fmt.Sprintf("%s: holds (vacuous: %s)\n", p, event.Printable(why))
		}
	}
	rest = slices.DeleteFunc(rest, func(p builtin.Property) bool { return s.Vacuous[p] != "" })
	verdict := s.restVerdict()
	if len(rest) == 0 || verdict == "" {
		return single
	}
	text := strings.Join(Names(rest), ", ")
	if s.leavesOutPanic() {
		text += "; left out: panic, since the program itself has crashed"
	}
	if off := Without(Known, s.On); len(off) > 0 {
		text += "; off: " + strings.Join(Names(off), ", ")
	}
	return single + fmt.Sprintf("built-in properties: %s (%s)\n", verdict, text)
}

// withoutFindings are the properties without findings, and without panic if the program itself has
// panicked.
func (s *Summary) withoutFindings() []builtin.Property {
	rest := Without(Without(Without(s.On, s.Violated), s.Possible), s.Known)
	if s.leavesOutPanic() {
		rest = Without(rest, []builtin.Property{builtin.Panic})
	}
	return rest
}

// leavesOutPanic reports whether panic is checked, and neither has findings nor is free of them.
func (s *Summary) leavesOutPanic() bool {
	for _, found := range [][]builtin.Property{s.Violated, s.Possible, s.Known} {
		if slices.Contains(found, builtin.Panic) {
			return false
		}
	}
	return s.Panicked && slices.Contains(s.On, builtin.Panic)
}

// restVerdict returns the verdict on all properties without a violation; "" if there is nothing to
// say. Why a single test binary has no verdict was reported with its name.
func (s *Summary) restVerdict() string {
	binaries := s.Runs + len(s.UnknownIn)
	var parts []string
	switch {
	case s.Unknown != "":
		return "unknown: " + s.Unknown
	case s.Runs > 0 && len(s.Violated)+len(s.Possible)+len(s.Known) > 0:
		parts = append(parts, "no other violation")
	case s.Runs > 0:
		parts = append(parts, "no violation")
	case binaries < 2:
		return ""
	}
	if s.Runs > 0 && binaries > 1 {
		parts[0] += " in " + testBinaries(s.Runs)
	}
	if len(s.UnknownIn) > 0 {
		parts = append(parts, fmt.Sprintf("unknown in %s: %s", testBinaries(len(s.UnknownIn)), event.Printable(strings.Join(s.UnknownIn, ", "))))
	}
	return strings.Join(parts, "; ")
}

func testBinaries(n int) string {
	if n == 1 {
		return "1 test binary"
	}
	return fmt.Sprintf("%d test binaries", n)
}
