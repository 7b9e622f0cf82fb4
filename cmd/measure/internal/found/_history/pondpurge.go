// A pool that stops idle workers is stopped.
package main

import (
	"fmt"
	"time"

	"github.com/alitto/pond"
)

func main() {
	pool := pond.New(2, 0, pond.IdleTimeout(20*time.Millisecond), pond.MinWorkers(0))
	for range 4 {
		pool.Submit(func() { fmt.Println("task") })
		time.Sleep(15 * time.Millisecond)
	}
	pool.StopAndWait()
}
