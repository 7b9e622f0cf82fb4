// A pool that stops idle workers is stopped itself.
package main

import (
	"fmt"
	"time"

	"github.com/alitto/pond"
)

func main() {
	pool := pond.New(2, 10, pond.IdleTimeout(20*time.Millisecond), pond.MinWorkers(0))
	for range 3 {
		pool.Submit(func() { fmt.Println("task") })
	}
	time.Sleep(50 * time.Millisecond)
	pool.Submit(func() { fmt.Println("late task") })
	pool.StopAndWait()
}
