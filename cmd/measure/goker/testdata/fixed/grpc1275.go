// To close a stream tells who reads from it.
package main

import "time"

func main() {
	stream, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		<-stream
	}()
	close(stream)
	timeout := time.NewTimer(time.Second)
	defer timeout.Stop()
	select {
	case <-done:
	case <-timeout.C:
	}
}
