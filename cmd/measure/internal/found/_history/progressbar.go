// A goroutine counts while another one says what is counted.
package main

import (
	"io"
	"sync"

	"github.com/schollz/progressbar/v3"
)

func main() {
	bar := progressbar.NewOptions(10, progressbar.OptionSetWriter(io.Discard))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 10 {
			_ = bar.Add(1)
		}
	}()
	bar.Describe("files")
	wg.Wait()
}
