// A program that synchronises as fast as it can.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

// Usage: load workers rounds [exit]. Each round of a worker is one record with a
// payload and one atomic addition; with exit the program ends while workers run.
func main() {
	workers, _ := strconv.Atoi(os.Args[1])
	rounds, _ := strconv.Atoi(os.Args[2])
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			payload := make([]byte, 100)
			for i := range rounds {
				*(*uint64)(unsafe.Pointer(&payload[0])) = uint64(i)
				emit(23, uint64(w), 0, 0, payload)
				if n.Add(1) == 1000 && len(os.Args) > 3 {
					fmt.Println("exiting")
					os.Exit(7)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(n.Load())
}
