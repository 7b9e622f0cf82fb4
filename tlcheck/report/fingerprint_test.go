package report

import "testing"

// TestWithoutComment keeps two slashes of a string: lines that differ behind them are different
// lines.
func TestWithoutComment(t *testing.T) {
	for line, want := range map[string]string{
		"mu.Lock() // why":                     "mu.Lock() ",
		"c <- \"http://a\"":                    "c <- \"http://a\"",
		"c <- `http://a` // \"b\"":             "c <- `http://a` ",
		"c <- '\"' // \"":                      "c <- '\"' ",
		"f(/* // */ a) // b":                   "f(/* // */ a) ",
		"} else if c := <-d; c == \"//\" { //": "} else if c := <-d; c == \"//\" { ",
		"":                                     "",
	} {
		if got := withoutComment(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
