package main

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	clients   = 16
	keys      = 100
	writeEach = 10 // requests
)

// warmUp is how many requests each client sends before the clock starts: it has put all keys before it gets any.
func warmUp(n int) int { return keys + n/10/clients }

// load is the client: it sends the requests and prints how long they took.
func load(s service, address string, n int) {
	var all [clients][]time.Duration
	var warm, done sync.WaitGroup
	warm.Add(clients)
	start := make(chan struct{})
	for c := range clients {
		done.Go(func() {
			get, put, hangUp := s.dial(address)
			defer hangUp()
			send := func(i int) {
				key := strconv.Itoa(i % keys)
				if i < keys || i%writeEach == c%writeEach {
					must(put(key))
				} else {
					must(get(key))
				}
			}
			for i := range warmUp(n) {
				send(i)
			}
			warm.Done()
			<-start
			took := make([]time.Duration, (n+c)/clients)
			for i := range took {
				begin := time.Now()
				send(keys + i)
				took[i] = time.Since(begin)
			}
			all[c] = took
		})
	}
	warm.Wait()
	begin := time.Now()
	close(start)
	done.Wait()
	took := time.Since(begin)
	sorted := slices.Concat(all[:]...)
	slices.Sort(sorted)
	fmt.Printf("ns/op %.2f\n", float64(took.Nanoseconds())/float64(len(sorted)))
	fmt.Printf("p99 %d\n", sorted[len(sorted)*99/100].Nanoseconds())
}
