// Command cache keeps the answers of a slow source, and asks it for each key only once.
//
// Its get is faulty: it looks for the key in one critical section and adds it in another one. Two
// goroutines that both look before one of them has added ask twice. In nearly every run they come
// one after the other.
package main

import (
	"fmt"
	"sync"
	"time"
)

// cache has the answers so far.
type cache struct {
	mu      sync.Mutex
	answers map[string]string
}

// get returns the answer for a key.
func (c *cache) get(key string) string {
	c.mu.Lock()
	answer, known := c.answers[key]
	c.mu.Unlock()
	if !known {
		answer = ask(key)
		c.mu.Lock()
		c.answers[key] = answer
		c.mu.Unlock()
	}
	return answer
}

// ask asks the source.
func ask(key string) string { return "answer to " + key }

func main() {
	c := &cache{answers: map[string]string{}}
	var wg sync.WaitGroup
	for i, key := range []string{"who", "where"} {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			c.get(key)
		})
	}
	wg.Wait()
	fmt.Println(len(c.answers), "answers")
}
