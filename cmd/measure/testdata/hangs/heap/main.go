// Command heap computes for so many rounds, with a large heap and goroutines that wait, and prints
// what it took: "seconds", "cpu", "collections".
package main

import (
	"fmt"
	"os"
	"runtime/metrics"
	"strconv"
	"syscall"
	"time"
)

const (
	heap       = 500 << 20
	goroutines = 100_000
	stepsEach  = 1 << 20 // of a round
)

// node is a part of the heap, which has pointers as those of programs do.
type node struct {
	next  *node
	value [6]uint64
}

func main() {
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	var all *node
	for range heap / 64 { // a node, with its class of size
		all = &node{next: all}
	}
	jobs := make(chan uint64)
	for range goroutines {
		go func() { <-jobs }()
	}
	time.Sleep(2 * time.Second) // they wait now
	begun, before, collected := time.Now(), used(), collections()
	at := all
	for range rounds {
		for range stepsEach {
			if at = at.next; at == nil {
				at = all
			}
			at.value[0]++
		}
	}
	fmt.Println("seconds", time.Since(begun).Seconds())
	fmt.Println("cpu", (used() - before).Seconds())
	fmt.Println("collections", collections()-collected)
	for range goroutines {
		jobs <- all.value[0]
	}
}

// used is the processor time of the process.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func collections() uint64 {
	cycles := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(cycles)
	return cycles[0].Value.Uint64()
}
