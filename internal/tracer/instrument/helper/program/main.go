// Program runs package frontend in a process of its own. It reads a request from standard input and
// writes the reply to standard output. Package helper compiles it with the user's toolchain.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := frontend.Serve(bufio.NewReader(os.Stdin), out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
