// Programs with and without data races, one a function: a racy one has the word "race" in a comment at
// each line that must be reported with another such line.
package main

import (
	"os"
	"sync"
)

func main() { programs[os.Args[1]]() }

// both runs two functions at once.
func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

// use keeps the compiler from leaving out what it is given.
//
//go:noinline
func use[T any](v T) T { return v }
