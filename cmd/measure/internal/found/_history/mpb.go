// A bar begins when the one before it is complete, and nothing is shown.
package main

import (
	"fmt"
	"io"

	"github.com/vbauerster/mpb/v8"
)

func main() {
	p := mpb.New(mpb.WithOutput(io.Discard), mpb.WithManualRefresh(make(chan any)))
	first := p.AddBar(2)
	second := p.AddBar(2, mpb.BarQueueAfter(first))
	first.IncrBy(2)
	first.Wait()
	second.IncrBy(2)
	p.Wait()
	fmt.Println("done")
}
