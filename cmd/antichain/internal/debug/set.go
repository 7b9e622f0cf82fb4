package debug

import (
	"fmt"
	"strconv"
	"time"

	"github.com/antichain-go/antichain/tlcheck/model/steps"
	"github.com/antichain-go/antichain/tlcheck/source"
)

// setting is a setting of the command set.
type setting struct {
	name, about string
	value       func(*dialogue) string
	set         func(*dialogue, string) error
}

var settings = []setting{
	{
		"mode", "which steps: shortest, min, max, every, literal-min, literal-max",
		func(d *dialogue) string { return d.opt.Mode.String() },
		func(d *dialogue, v string) (err error) {
			mode, err := steps.ParseMode(v)
			if err == nil {
				d.opt.Mode = mode
			}
			return err
		},
	},
	{
		"limit", "most states of a step",
		func(d *dialogue) string { return strconv.Itoa(d.opt.Limit) },
		func(d *dialogue, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return fmt.Errorf("limit %s: must be a number above zero", v)
			}
			d.opt.Limit = n
			return nil
		},
	},
	{
		"time", "how long a search may take",
		func(d *dialogue) string { return d.time.String() },
		func(d *dialogue, v string) error {
			t, err := time.ParseDuration(v)
			if err != nil || t <= 0 {
				return fmt.Errorf("time %s: must be a time above zero, such as 30s or 5m", v)
			}
			d.time = t
			return nil
		},
	},
	switchOf("all-paths", "again returns every sequence of states, not one for each pair of states",
		func(o *steps.Options) *bool {
			return &o.AllPaths
		}),
	switchOf("new-ends", "again leaves out steps that end where an earlier one did", func(o *steps.Options) *bool {
		return &o.NewEnds
	}),
	switchOf("memoryless", "shortest and min search with growing depth and remember no states",
		func(o *steps.Options) *bool {
			return &o.Memoryless
		}),
	switchOf("repeat", "literal modes return a sequence as often as the automaton can read it",
		func(o *steps.Options) *bool {
			return &o.Repeat
		}),
}

// switchOf is a setting that is on or off.
func switchOf(name, about string, of func(*steps.Options) *bool) setting {
	return setting{
		name, about,
		func(d *dialogue) string {
			if *of(&d.opt) {
				return "on"
			}
			return "off"
		},
		func(d *dialogue, v string) error {
			if v != "on" && v != "off" {
				return fmt.Errorf("%s %s: must be on or off", name, v)
			}
			*of(&d.opt) = v == "on"
			return nil
		},
	}
}

var set = &command{
	Name: "set", Args: "[NAME VALUE]", Short: "change how steps are searched, or list the settings", Most: 2,
	Do: func(d *dialogue, _ string, args []string) error {
		if len(args) == 0 {
			for _, s := range settings {
				fmt.Fprintf(d, "    %-10s  %-8s  %s\n", s.name, s.value(d), s.about)
			}
			return nil
		}
		var names []string
		for _, s := range settings {
			if names = append(names, s.name); s.name != args[0] {
				continue
			}
			if len(args) < 2 {
				return fmt.Errorf("usage: set %s VALUE", s.name)
			}
			return s.set(d, args[1])
		}
		hint := "set lists them"
		if near := source.Closest(args[0], names); near != "" {
			hint = "did you mean " + near + "?"
		}
		return fmt.Errorf("there is no setting %s: %s", source.Short(args[0]), hint)
	},
	Complete: func(_ *dialogue, before []string) (words []string) {
		if len(before) > 0 {
			return nil
		}
		for _, s := range settings {
			words = append(words, s.name)
		}
		return words
	},
}
