//go:build unix

package main

import (
	"fmt"
)

// stepping prints what temporal steps cost: formulas to automata, steps a second, and the memory of
// a long one.
func stepping(args []string) error {
	flags := selecting("steps", "parts whose names match this `pattern`: automata, found, long")
	if err := flags.parse(args); err != nil {
		return err
	}
	fmt.Printf("Medians of %d.\n", *flags.count)
	for _, part := range []struct {
		name    string
		measure func(dir string, count int) error
	}{{"automata", automataTable}, {"found", foundTable}, {"long", longTable}} {
		if !flags.pattern.MatchString(part.name) {
			continue
		}
		fmt.Println()
		if err := part.measure(".", *flags.count); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}
