// A scheduler is stopped, started again and stopped again.
package main

import (
	"fmt"
	"time"

	"github.com/go-co-op/gocron"
)

func main() {
	s := gocron.NewScheduler(time.UTC)
	if _, err := s.Every("10ms").Do(func() { fmt.Println("job") }); err != nil {
		panic(err)
	}
	for range 2 {
		s.StartAsync()
		time.Sleep(25 * time.Millisecond)
		s.Stop()
	}
	fmt.Println("stopped")
}
