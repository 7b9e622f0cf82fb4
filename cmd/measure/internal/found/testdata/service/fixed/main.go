// A service with a loop that ends by itself when its input does.
package main

import (
	"fmt"
	"time"
)

type service struct {
	in   chan int
	quit chan struct{}
	sum  int
}

func (s *service) loop() {
	for {
		select {
		case x, ok := <-s.in:
			if !ok {
				return
			}
			s.sum += x
		case <-s.quit:
			return
		}
	}
}

func (s *service) Stop() { close(s.quit) }

func main() {
	s := &service{in: make(chan int, 4), quit: make(chan struct{})}
	go s.loop()
	go func() {
		for i := range 3 {
			s.in <- i
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		close(s.in)
	}()
	time.Sleep(10 * time.Millisecond)
	s.Stop()
	fmt.Println("stopped")
	time.Sleep(40 * time.Millisecond)
}
