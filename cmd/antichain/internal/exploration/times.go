package exploration

import (
	"errors"
	"strconv"
)

// Times is a flag that says how often a program is run again: a number, or all.
type Times struct{ *Extent }

// Set takes a number, or "all".
func (t Times) Set(text string) error {
	if text == "all" {
		t.Explore, t.All = 0, true
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("expected a whole number, or all")
	}
	t.Explore, t.All = n, false
	return nil
}

func (t Times) String() string {
	switch {
	case t.Extent == nil:
		return "0"
	case t.All:
		return "all"
	}
	return strconv.Itoa(t.Explore)
}

// Type is what the flag's value is called.
func (t Times) Type() string { return "N" }
