// There is room for what comes after the time-out.
package main

import (
	"errors"
	"math/rand"
	"time"
)

func finish(timeout time.Duration, f func() error) {
	done, failed := make(chan bool, 1), make(chan error, 1)
	go func() {
		if err := f(); err != nil {
			failed <- err
		} else {
			done <- true
		}
	}()
	select {
	case <-done:
	case <-failed:
	case <-time.After(timeout):
	}
}

func main() {
	go finish(time.Microsecond, func() error {
		time.Sleep(2 * time.Millisecond)
		if rand.Intn(10) > 5 {
			return errors.New("failed")
		}
		return nil
	})
	time.Sleep(100 * time.Millisecond)
}
