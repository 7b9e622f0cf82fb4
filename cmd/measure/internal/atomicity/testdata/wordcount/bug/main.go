// Command wordcount counts words of several texts. Readers get a map that never changes, as a change makes a new one.
//
// Bug: two goroutines can make a new map out of the same old one.
package main

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"time"
)

// Counts are numbers of words.
type Counts struct {
	mu sync.RWMutex
	m  map[string]int
}

// Snapshot returns a map that nobody changes.
func (c *Counts) Snapshot() map[string]int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.m
}

func (c *Counts) replace(m map[string]int) {
	c.mu.Lock()
	c.m = m
	c.mu.Unlock()
}

// merge makes a new map.
func merge(old map[string]int, words []string) map[string]int {
	m := maps.Clone(old)
	for _, w := range words {
		m[w]++
	}
	return m
}

// Add counts the words of a text.
func (c *Counts) Add(text string) {
	c.replace(merge(c.Snapshot(), strings.Fields(text)))
}

func main() {
	c := &Counts{m: map[string]int{}}
	texts := []string{"to be or not to be", "let it be", "as you like it"}
	var wg sync.WaitGroup
	for i, text := range texts {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 30 * time.Millisecond)
			c.Add(text)
		})
	}
	wg.Wait()
	total := 0
	for _, n := range c.Snapshot() {
		total += n
	}
	fmt.Println(total, "words")
	if total != 13 {
		os.Exit(1)
	}
}
