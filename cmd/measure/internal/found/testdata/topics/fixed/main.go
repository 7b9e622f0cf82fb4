// Topics with subscribers that may leave while a message is sent.
package main

import (
	"fmt"
	"sync"
	"time"
)

type topic struct {
	mu   sync.Mutex
	subs []chan int
}

func (t *topic) Subscribe() chan int {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, 4)
	t.subs = append(t.subs, ch)
	return ch
}

func (t *topic) Publish(x int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ch := range t.subs {
		ch <- x
	}
}

func (t *topic) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ch := range t.subs {
		close(ch)
	}
	t.subs = nil
}

func main() {
	t := &topic{}
	ch := t.Subscribe()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			t.Publish(i)
			time.Sleep(time.Millisecond)
		}
	})
	time.Sleep(20 * time.Millisecond)
	t.Close()
	for x := range ch {
		fmt.Println(x)
	}
	wg.Wait()
}
