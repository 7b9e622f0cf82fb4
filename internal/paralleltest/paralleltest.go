// Package paralleltest is for packages whose tests mostly wait for other processes and for sockets.
package paralleltest

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
)

// PerProcessor allows n parallel tests for each processor, unless -parallel gives a number.
// TestMain calls it before it runs the tests.
func PerProcessor(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n*runtime.GOMAXPROCS(0))); err != nil {
		panic(fmt.Sprintf("only tests may call this: %v", err))
	}
}
