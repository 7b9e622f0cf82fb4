// Command rounds computes in rounds: all parts of one are done before the next begins.
package main

import (
	"fmt"
	"sync"
)

// Grid is computed in parts.
type Grid struct {
	cells []int
	parts *sync.WaitGroup
}

// step computes one part.
func (g *Grid) step(from, to int) {
	defer g.parts.Done()
	for i := from; i < to; i++ {
		g.cells[i] = g.cells[i]*2 + 1
	}
}

// Round starts a round.
func (g *Grid) Round() {
	g.parts = new(sync.WaitGroup)
	half := len(g.cells) / 2
	g.parts.Add(2)
	go g.step(0, half)
	go g.step(half, len(g.cells))
}

// monitor tells when a round is over.
func monitor(parts *sync.WaitGroup, round int, over chan<- int) {
	parts.Wait()
	over <- round
}

func main() {
	const rounds = 3
	g := &Grid{cells: make([]int, 8), parts: new(sync.WaitGroup)}
	over := make(chan int, rounds)
	for round := range rounds {
		g.Round()
		go monitor(g.parts, round, over)
		g.parts.Wait()
	}
	for range rounds {
		<-over
	}
	fmt.Println("cells:", g.cells)
}
