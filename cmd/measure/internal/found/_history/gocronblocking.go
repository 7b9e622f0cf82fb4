// A scheduler runs until it is stopped; then it is used again.
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
	time.AfterFunc(30*time.Millisecond, s.Stop)
	s.StartBlocking()
	for range 2 {
		s.StartAsync()
		time.Sleep(25 * time.Millisecond)
		s.Stop()
	}
	fmt.Println("stopped")
}
