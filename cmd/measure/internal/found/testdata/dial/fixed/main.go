// Dials two addresses at once, and takes the first connection.
package main

import (
	"errors"
	"fmt"
	"time"
)

func dial(addr string, d time.Duration) (string, error) {
	time.Sleep(d)
	if addr == "" {
		return "", errors.New("no address")
	}
	return "conn to " + addr, nil
}

func dialBoth(a, b string) (string, error) {
	conns, errs := make(chan string, 2), make(chan error, 2)
	for i, addr := range []string{a, b} {
		go func() {
			c, err := dial(addr, time.Duration(i)*2*time.Millisecond)
			if err != nil {
				errs <- err
				return
			}
			conns <- c
		}()
	}
	var last error
	for range 2 {
		select {
		case c := <-conns:
			return c, nil
		case last = <-errs:
		}
	}
	return "", last
}

func main() {
	fmt.Println(dialBoth("a", "b"))
	fmt.Println(dialBoth("", ""))
	fmt.Println(dialBoth("", "b"))
	time.Sleep(10 * time.Millisecond)
}
