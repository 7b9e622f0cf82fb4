// Two goroutines serve each other. Another client sends once, and ends.
package main

func main() {
	requests, answers := make(chan int), make(chan int)
	ready := make(chan bool)
	go func() { // a server
		for range requests {
			answers <- 1
		}
	}()
	go func() { // its client, which has sent once
		requests <- 1
		for range answers {
			ready <- true
		}
	}()
	<-ready
	go func() { // another client
		requests <- 2
	}()
	<-ready
}
