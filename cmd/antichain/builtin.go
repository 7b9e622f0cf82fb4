package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/cmd/antichain/report"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/spf13/pflag"
)

// known are the built-in properties that there are programs for, which explain and test them.
var known = slices.DeleteFunc(slices.Clone(builtin.Properties), func(p builtin.Property) bool { return !builtins.Has(string(p)) })

// expensive are the built-in properties that are only checked if they are asked for: they need the
// program's accesses to memory.
var expensive = []builtin.Property{builtin.Copy, builtin.Race}

// needsAccesses reports whether the accesses to memory are wanted.
func needsAccesses(on []builtin.Property) bool {
	return slices.ContainsFunc(on, func(p builtin.Property) bool { return slices.Contains(expensive, p) })
}

// builtinFlag is the flag that says which built-in properties are checked.
type builtinFlag []builtin.Property

// usualBuiltins are those that are checked if nothing is said.
func usualBuiltins() builtinFlag {
	return slices.DeleteFunc(slices.Clone(known), func(p builtin.Property) bool {
		return slices.Contains(expensive, p)
	})
}

func (f *builtinFlag) register(flags *pflag.FlagSet) {
	*f = usualBuiltins()
	flags.Var(f, "builtin", "check these built-in properties, all or none: `NAMES` with commas between them; antichain builtins explains them")
}

// Set takes names, separated by commas, or all or none.
func (f *builtinFlag) Set(text string) error {
	switch text {
	case "all":
		*f = known
		return nil
	case "none":
		*f = nil
		return nil
	}
	var on builtinFlag
	for name := range strings.SplitSeq(text, ",") {
		p := builtin.Property(strings.TrimSpace(name))
		if !slices.Contains(known, p) {
			return fmt.Errorf("no built-in property %q: there are %s, or all or none", p, report.List(names(known)))
		}
		on = append(on, p)
	}
	*f = slices.DeleteFunc(slices.Clone(known), func(p builtin.Property) bool { return !slices.Contains(on, p) })
	return nil
}

func (f *builtinFlag) String() string {
	if len(*f) == 0 {
		return "none"
	}
	return strings.Join(names(*f), ",")
}

func (f *builtinFlag) Type() string { return "NAMES" }

func names(ps []builtin.Property) []string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = string(p)
	}
	return texts
}

// without returns the properties that are not among others.
func without(ps, others []builtin.Property) []builtin.Property {
	return slices.DeleteFunc(slices.Clone(ps), func(p builtin.Property) bool { return slices.Contains(others, p) })
}

// builtinOutcome is what came of the built-in properties, of one run or several.
type builtinOutcome struct {
	On       []builtin.Property // that were checked; none if nothing was
	Violated []builtin.Property
	Unknown  string // why there is no verdict on the others; "" if there is
	Runs     int    // that have a verdict

	Unwatched map[builtin.Property]string // why there is no verdict on single ones of them
}

// isUnknown reports whether there is no verdict on some property.
func (o *builtinOutcome) isUnknown() bool { return o.Unknown != "" || len(o.Unwatched) > 0 }

// why says why there is no verdict on a property, "" if there is.
func (o *builtinOutcome) why(p builtin.Property) string { return cmp.Or(o.Unknown, o.Unwatched[p]) }

// include adds what came of another run.
func (o *builtinOutcome) include(other *builtinOutcome) {
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
	return slices.DeleteFunc(slices.Clone(known), func(p builtin.Property) bool {
		return !slices.Contains(a, p) && !slices.Contains(b, p)
	})
}

// say returns the line that says which properties are not violated, or unknown, and which were not
// checked; "" if there is nothing to say.
func (o *builtinOutcome) say() string {
	rest := without(o.On, o.Violated)
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
	text := strings.Join(names(rest), ", ")
	if off := without(known, o.On); len(off) > 0 {
		text += "; off: " + strings.Join(names(off), ", ")
	}
	return unwatched + fmt.Sprintf("built-in properties: %s (%s)\n", verdict, text)
}
