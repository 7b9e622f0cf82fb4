//go:build unix

package main

import (
	"flag"
	"fmt"
	"regexp"
)

// stepping prints what temporal steps cost: formulas to automata, steps a second, and the memory of a long one.
func stepping(args []string) error {
	flags := flag.NewFlagSet("steps", flag.ContinueOnError)
	only := flags.String("run", "", "only the parts whose names match this `pattern`: automata, found, long")
	count := flags.Int("n", 5, "repetitions of each row")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *count < 1 || flags.NArg() > 0 {
		return fmt.Errorf("-n must be at least 1, and no arguments follow the flags")
	}
	fmt.Printf("Medians of %d.\n", *count)
	for _, part := range []struct {
		name    string
		measure func(dir string, count int) error
	}{{"automata", automataTable}, {"found", foundTable}, {"long", longTable}} {
		if !pattern.MatchString(part.name) {
			continue
		}
		fmt.Println()
		if err := part.measure(".", *count); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}
