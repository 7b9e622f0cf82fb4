// A crawler whose goroutines count themselves.
package main

import (
	"fmt"
	"sync"
	"time"
)

type crawler struct {
	mu   sync.Mutex
	seen map[int]bool
	wg   sync.WaitGroup
}

func (c *crawler) visit(page int) {
	defer c.wg.Done()
	c.mu.Lock()
	c.seen[page] = true
	c.mu.Unlock()
	if page < 8 {
		c.wg.Add(2)
		go c.visit(2 * page)
		go c.visit(2*page + 1)
		time.Sleep(time.Millisecond)
	}
}

func main() {
	c := &crawler{seen: map[int]bool{}}
	c.wg.Add(1)
	go c.visit(1)
	time.Sleep(time.Millisecond)
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Println(len(c.seen))
}
