package findings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/builtins"
	"github.com/antichain-go/antichain/cmd/antichain/internal/specfile"
	"github.com/antichain-go/antichain/internal/wording"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/spf13/pflag"
)

// Known are the built-in properties that there are programs for, which explain and test them.
var Known = slices.DeleteFunc(slices.Clone(builtin.Properties), func(p builtin.Property) bool { return !builtins.Has(string(p)) })

// Expensive are the built-in properties that are only checked if they are asked for: they need the
// program's accesses to memory.
var Expensive = slices.DeleteFunc(slices.Clone(builtin.Properties), func(p builtin.Property) bool { return !builtin.NeedsAccesses(p) })

// NeedsAccesses reports whether the accesses to memory are wanted.
func NeedsAccesses(on []builtin.Property) bool {
	return slices.ContainsFunc(on, builtin.NeedsAccesses)
}

// Flag is the flag that says which built-in properties are checked.
type Flag []builtin.Property

// Usual returns the properties that are checked by default.
func Usual() Flag {
	return slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool {
		return slices.Contains(Expensive, p)
	})
}

func (f *Flag) Register(flags *pflag.FlagSet) {
	*f = Usual()
	flags.Var(f, "builtin", "check these built-in properties: all, none or `NAMES` separated by commas; antichain builtins explains them")
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
		p, err := builtin.Parse(strings.TrimSpace(name))
		if err != nil {
			return fmt.Errorf("%w: name some of %s, or all or none", err, wording.List(Names(Known)))
		}
		on = append(on, p)
	}
	*f = slices.DeleteFunc(slices.Clone(Known), func(p builtin.Property) bool { return !slices.Contains(on, p) })
	return nil
}

// Suits refuses leak where no function must finish, since it would not be judged. Of the usual
// properties, and of all, it is left out then.
func (f Flag) Suits(functions specfile.Functions) error {
	if slices.Contains(f, builtin.Leak) && len(functions.MustFinish) == 0 && len(f) < len(Usual()) {
		return errors.New("--builtin leak: no specification names a function with must_finish, so nothing can leak: name one, or leave leak out")
	}
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

// Showing returns properties that show that what some of them predict happens: goroutines in a
// deadlock that is not one of locks alone are seen to be stuck.
func Showing(on []builtin.Property) []builtin.Property {
	if slices.Contains(on, builtin.Deadlock) && !slices.Contains(on, builtin.Stuck) {
		return append(slices.Clip(on), builtin.Stuck)
	}
	return on
}

// Without returns the properties of ps that are not among others.
func Without(ps, others []builtin.Property) []builtin.Property {
	return slices.DeleteFunc(slices.Clone(ps), func(p builtin.Property) bool { return slices.Contains(others, p) })
}
