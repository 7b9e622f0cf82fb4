// Command connpool opens at most one connection to a server that allows no more.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

const most = 1

// Pool counts open connections.
type Pool struct {
	mu   sync.Mutex
	open int
	peak int
}

// dial opens a connection, which takes a moment.
func dial(n int) string {
	return fmt.Sprint("connection ", n)
}

// Get returns a connection if there is room for one.
func (p *Pool) Get(n int) (string, bool) {
	p.mu.Lock()
	if p.open >= most {
		p.mu.Unlock()
		return "", false
	}
	p.open++
	p.peak = max(p.peak, p.open)
	p.mu.Unlock()
	return dial(n), true
}

// Close closes a connection.
func (p *Pool) Close() {
	p.mu.Lock()
	p.open--
	p.mu.Unlock()
}

// query asks the server something.
func query(p *Pool, n int) {
	for {
		conn, ok := p.Get(n)
		if ok {
			fmt.Println("asked over", conn)
			p.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func main() {
	var p Pool
	var clients sync.WaitGroup
	for i := range 3 {
		clients.Go(func() {
			time.Sleep(time.Duration(i) * 50 * time.Millisecond)
			query(&p, i)
		})
	}
	clients.Wait()
	if p.peak > most {
		fmt.Println("too many connections")
		os.Exit(1)
	}
}
