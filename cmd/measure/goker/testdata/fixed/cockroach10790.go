// The channels have room for what is sent, so that nobody needs to drain them.
package main

import (
	"context"
	"time"
)

type replica struct{ chans []chan bool }

func (r *replica) begin(ctx context.Context) {
	for _, c := range r.chans {
		select {
		case <-c:
		case <-ctx.Done():
			return
		}
	}
}

func (r *replica) send() {
	for _, c := range r.chans {
		c <- true
	}
}

func main() {
	r := &replica{[]chan bool{make(chan bool, 1), make(chan bool, 1)}}
	ctx, cancel := context.WithCancel(context.Background())
	go r.send()
	go r.begin(ctx)
	go cancel()
	time.Sleep(100 * time.Millisecond)
}
