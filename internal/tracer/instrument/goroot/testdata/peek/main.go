// A program of goroutines that load variables again and again while others store to them, and tell what they have seen.
package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	_ "unsafe" // for linkname
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

// What a goroutine tells, with the value of a variable: each value is stored once.
const (
	stored = 1
	saw    = 2
)

func tell(what, value uint64) { emit(23, what, value, 0, nil) }

// The variables have the same lock.
var variables [3]struct {
	value atomic.Uint64
	_     [2040]byte // as there are locks for 2048 bytes
}

func work(r *rand.Rand, me uint64, rounds int) {
	for i := range rounds {
		v := &variables[r.IntN(len(variables))].value
		if r.IntN(8) == 0 {
			value := me<<32 | uint64(i)
			v.Store(value)
			tell(stored, value)
			continue
		}
		last := uint64(0)
		for range 1 + r.IntN(30) {
			last = v.Load()
		}
		tell(saw, last)
	}
}

// Usage: peek seed goroutines rounds
func main() {
	seed, _ := strconv.ParseUint(os.Args[1], 10, 64)
	goroutines, _ := strconv.Atoi(os.Args[2])
	rounds, _ := strconv.Atoi(os.Args[3])
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() { work(rand.New(rand.NewPCG(seed, uint64(i))), uint64(i)+1, rounds) })
	}
	wg.Wait()
}
