// Fetches a page from several mirrors, and takes the first answer.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func query(ctx context.Context, mirror int) (string, error) {
	time.Sleep(time.Duration(mirror) * time.Millisecond)
	if mirror == 9 {
		return "", errors.New("no such mirror")
	}
	return fmt.Sprint("page of ", mirror), ctx.Err()
}

type answer struct {
	text string
	err  error
}

func fetch(ctx context.Context, mirror int) (string, error) {
	got := make(chan answer, 1)
	go func() {
		text, err := query(ctx, mirror)
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 3 {
			fmt.Println(fetch(ctx, i))
		}
	}()
	time.Sleep(30 * time.Millisecond) // until a signal comes
	cancel()
	<-done
}
