package commandtest

import (
	"os"
	"runtime/debug"
	"strconv"
)

// RelaxGarbage makes this process and the programs that it starts collect garbage less often. The
// go command, the linker and antichain run for a part of a second each. Their heaps are small, and
// they would collect them many times meanwhile.
func RelaxGarbage() {
	const percent = 400
	debug.SetGCPercent(percent)
	if err := os.Setenv("GOGC", strconv.Itoa(percent)); err != nil {
		panic(err) // the name is one
	}
}
