package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// Known are the built-in properties that there are programs for, which explain and test them.
var Known = slices.DeleteFunc(slices.Clone(builtin.Properties), func(p builtin.Property) bool { return !builtins.Has(string(p)) })

// Expensive are the built-in properties that are only checked if they are asked for: they need the
// program's accesses to memory.
var Expensive = []builtin.Property{builtin.Copy, builtin.Race}

// NeedsAccesses reports whether the accesses to memory are wanted.
func NeedsAccesses(on []builtin.Property) bool {
	return slices.ContainsFunc(on, func(p builtin.Property) bool { return slices.Contains(Expensive, p) })
}

// Flag is the flag that says which built-in properties are checked.
type Flag []builtin.Property

// Usual are those that are checked if nothing is said.
func Usual() Flag {
	return slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool {
		return slices.Contains(Expensive, p)
	})
}

func (f *Flag) Register(flags *pflag.FlagSet) {
	*f = Usual()
	flags.Var(f, "builtin", "check these built-in properties, all or none: `NAMES` with commas between them; antichain builtins explains them")
}

// Set takes names, separated by commas, or all or none.
func (f *Flag) Set(text string) error {
	switch text {
	case "all":
		*f = Known
		return nil
	case "none":
		*f = nil
		return nil
	}
	var on Flag
	for name := range strings.SplitSeq(text, ",") {
		p := builtin.Property(strings.TrimSpace(name))
		if !slices.Contains(Known, p) {
			return fmt.Errorf("no built-in property %q: there are %s, or all or none", p, report.List(Names(Known)))
		}
		on = append(on, p)
	}
	*f = slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool { return !slices.Contains(on, p) })
	return nil
}

func (f *Flag) String() string {
	if len(*f) == 0 {
		return "none"
	}
	return strings.Join(Names(*f), ",")
}

func (f *Flag) Type() string { return "NAMES" }

func Names(ps []builtin.Property) []string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = string(p)
	}
	return texts
}

// Without returns the properties that are not among others.
func Without(ps, others []builtin.Property) []builtin.Property {
	return slices.DeleteFunc(slices.Clone(ps), func(p builtin.Property) bool { return slices.Contains(others, p) })
}

// Outcome is what came of the built-in properties, of one run or several.
type Outcome struct {
	On       []builtin.Property // that were checked; none if nothing was
	Violated []builtin.Property
	Unknown  string // why there is no verdict on the others; "" if there is
	Runs     int    // that have a verdict

	Unwatched map[builtin.Property]string // why there is no verdict on single ones of them
}

// IsUnknown reports whether there is no verdict on some property.
func (o *Outcome) IsUnknown() bool { return o.Unknown != "" || len(o.Unwatched) > 0 }

// why says why there is no verdict on a property, "" if there is.
func (o *Outcome) why(p builtin.Property) string { return cmp.Or(o.Unknown, o.Unwatched[p]) }

// Include adds what came of another run.
func (o *Outcome) Include(other *Outcome) {
	o.On = union(o.On, other.On)
	o.Violated = union(o.Violated, other.Violated)
	o.Runs += other.Runs
	for p, why := range other.Unwatched {
		if o.Unwatched == nil {
			o.Unwatched = make(map[builtin.Property]string)
		}
		o.Unwatched[p] = why
	}
}

func union(a, b []builtin.Property) []builtin.Property {
	return slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool {
		return !slices.Contains(a, p) && !slices.Contains(b, p)
	})
}

// Summary returns the line that says which properties are not violated, or unknown, and which were not
// checked; "" if there is nothing to say.
func (o *Outcome) Summary() string {
	rest := Without(o.On, o.Violated)
	var unwatched string
	for _, p := range rest {
		if why := o.Unwatched[p]; why != "" && o.Unknown == "" {
			unwatched += fmt.Sprintf("%s: unknown: %s\n", p, event.Printable(why))
		}
	}
	rest = slices.DeleteFunc(rest, func(p builtin.Property) bool { return o.Unknown == "" && o.Unwatched[p] != "" })
	verdict := "no violation"
	switch {
	case len(rest) == 0 || o.Unknown == "" && o.Runs == 0:
		return unwatched
	case o.Unknown != "":
		verdict = "unknown: " + o.Unknown
	case len(o.Violated) > 0:
		verdict = "no other violation"
	}
	if o.Runs > 1 {
		verdict += fmt.Sprintf(" in %d test binaries", o.Runs)
	}
	text := strings.Join(Names(rest), ", ")
	if off := Without(Known, o.On); len(off) > 0 {
		text += "; off: " + strings.Join(Names(off), ", ")
	}
	return unwatched + fmt.Sprintf("built-in properties: %s (%s)\n", verdict, text)
}
