// The watcher says that it has ended.
package main

func watch(addresses <-chan bool, done chan<- bool) {
	defer close(done)
	for range addresses {
	}
}

func main() {
	addresses, waiting := make(chan bool), make(chan error, 1)
	go func() {
		defer close(waiting)
		done := make(chan bool)
		go watch(addresses, done)
		<-done
	}()
	close(addresses)
	<-waiting
}
