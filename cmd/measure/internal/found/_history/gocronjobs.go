// The jobs are listed while another goroutine adds one.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-co-op/gocron"
)

func main() {
	s := gocron.NewScheduler(time.UTC)
	if _, err := s.Every("1h").Do(func() {}); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if _, err := s.Every("2h").Do(func() {}); err != nil {
			panic(err)
		}
	}()
	for _, job := range s.JobsMap() {
		fmt.Println(job.IsRunning())
	}
	wg.Wait()
}
