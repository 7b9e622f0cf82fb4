package mcp

import (
	"cmp"
	"fmt"
	"strings"
)

// checking are arguments that say what is checked. They have the names of antichain's flags.
type checking struct {
	Builtin  string   `json:"builtin,omitempty" jsonschema:"built-in properties, with commas, or all, or none"`
	Spec     []string `json:"spec,omitempty" jsonschema:"specifications; else the *.tl files beside the package"`
	Formulas []string `json:"formulas,omitempty" jsonschema:"formulas to check, in the specification language"`
	Timeout  string   `json:"timeout,omitempty" jsonschema:"the time for checking each property, such as 30s"`
}

// steering are arguments that say how often a program runs, and in which orders.
type steering struct {
	Predict string   `json:"predict,omitempty" jsonschema:"locks: also predict other orders of critical sections"`
	Confirm bool     `json:"confirm,omitempty" jsonschema:"make predictions happen, and keep their schedules"`
	Explore int      `json:"explore,omitempty" jsonschema:"run so often again, in other orders; keeps schedules"`
	For     string   `json:"for,omitempty" jsonschema:"run again like explore, for this time, such as 2m"`
	Seed    uint64   `json:"seed,omitempty" jsonschema:"repeat the schedule that a report names by this number"`
	Yields  uint64   `json:"yields,omitempty" jsonschema:"repeat the run that a report names by this number"`
	GoFlags []string `json:"go_flags,omitempty" jsonschema:"flags of go build or go test, such as -count=2"`
}

type runArguments struct {
	Package  string   `json:"package" jsonschema:"the program: a package such as ./cmd/server, or a .go file"`
	Args     []string `json:"args,omitempty" jsonschema:"the arguments of the program"`
	EndAfter string   `json:"end_after,omitempty" jsonschema:"end the run after this time; by default 1m"`
	checking
	steering
}

type testArguments struct {
	Packages []string `json:"packages,omitempty" jsonschema:"by default ./..."`
	Run      string   `json:"run,omitempty" jsonschema:"the pattern of the tests to run, as for go test"`
	checking
	steering
}

// scheduleArguments are those of replay and verify.
type scheduleArguments struct {
	Schedule string   `json:"schedule" jsonschema:"the file of the schedule, which a finding or list_schedules names"`
	Package  string   `json:"package" jsonschema:"the package of the program or of the test"`
	Run      string   `json:"run,omitempty" jsonschema:"of a test: the pattern of its name"`
	Args     []string `json:"args,omitempty" jsonschema:"of a program: its arguments"`
	checking
}

type explainArguments struct {
	Finding  int    `json:"finding,omitempty" jsonschema:"the number of a finding of the last run, test or replay"`
	Property string `json:"property,omitempty" jsonschema:"a built-in property, such as deadlock"`
	Program  string `json:"program,omitempty" jsonschema:"show this program of the explanation"`
	Offset   int    `json:"offset,omitempty" jsonschema:"go on with this byte of the text, which an answer has named"`
}

type listArguments struct {
	Directory string `json:"directory,omitempty" jsonschema:"where the schedules are; by default antichain's cache"`
}

// defaultEnd ends programs that never end by themselves, such as servers.
const defaultEnd = "1m"

// commandLine is a command of antichain that grows.
type commandLine struct {
	words []string
	err   error // the first mistake in an argument
}

// flag adds a flag of antichain, unless its value is that of an argument that is not given.
func (c *commandLine) flag(name string, value any) {
	switch text := fmt.Sprint(value); text {
	case "", "0", "false":
	case "true":
		c.words = append(c.words, "--"+name)
	default:
		c.words = append(c.words, "--"+name+"="+text)
	}
}

// names adds names of packages, files and the like, which must not be taken for flags.
func (c *commandLine) names(argument string, names ...string) {
	for _, name := range names {
		if name == "" || strings.HasPrefix(name, "-") {
			c.err = cmp.Or(c.err,
				fmt.Errorf("%s: %q is no name; one that begins with - needs ./ before it", argument, name))
		}
	}
	c.words = append(c.words, names...)
}

func (c *commandLine) checking(a checking) {
	c.flag("builtin", a.Builtin)
	for _, file := range a.Spec {
		c.words = append(c.words, "--spec="+file)
	}
	for _, formula := range a.Formulas {
		c.words = append(c.words, "--expr="+formula)
	}
	c.flag("timeout", a.Timeout)
}

func (c *commandLine) steering(a steering) {
	c.flag("predict", a.Predict)
	c.flag("confirm", a.Confirm)
	c.flag("explore", a.Explore)
	c.flag("for", a.For)
	c.flag("seed", a.Seed)
	c.flag("yields", a.Yields)
	for _, flag := range a.GoFlags {
		if !strings.HasPrefix(flag, "-") || strings.HasPrefix(flag, "--") {
			c.err = cmp.Or(c.err, fmt.Errorf("go_flags: %q is no flag of the go command: write -NAME=VALUE, "+
				"and use the other arguments for antichain's own flags", flag))
		}
	}
	c.words = append(c.words, a.GoFlags...)
}
