// The result is not sent any more once the watch was stopped.
package main

import (
	"context"
	"errors"
	"time"
)

type watch struct {
	ctx    context.Context
	cancel context.CancelFunc
	result chan bool
	err    chan error
}

func (w *watch) run() {
	select {
	case err := <-w.err:
		select {
		case w.result <- err != nil:
		case <-w.ctx.Done():
		}
	case <-w.ctx.Done():
	}
}

func main() {
	w := &watch{result: make(chan bool), err: make(chan error, 1)}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	go w.run()
	go func() {
		w.err <- errors.New("failed")
		w.cancel()
	}()
	time.Sleep(100 * time.Millisecond)
}
