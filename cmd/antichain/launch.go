package main

import (
	"fmt"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/tracer/launch"
)

// remove removes a directory and says so if that fails: it holds values of the program.
func remove(s terminal.Streams, dir *launch.Dir) {
	if err := dir.Remove(); err != nil {
		fmt.Fprintln(s.Err, "antichain: warning:", err)
	}
}
