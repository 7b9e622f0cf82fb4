// The jobs are listed again and again while another goroutine adds some.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-co-op/gocron"
)

func main() {
	s := gocron.NewScheduler(time.UTC)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 3 {
			if _, err := s.Every("1h").Do(func() {}); err != nil {
				panic(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	for range 3 {
		time.Sleep(5 * time.Millisecond)
		for _, job := range s.JobsMap() {
			fmt.Println(job.IsRunning())
		}
	}
	wg.Wait()
}
