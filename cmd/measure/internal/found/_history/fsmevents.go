// Two goroutines fire events.
package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/looplab/fsm"
)

func main() {
	lamp := fsm.NewFSM("off", fsm.Events{
		{Name: "toggle", Src: []string{"off"}, Dst: "on"},
		{Name: "toggle", Src: []string{"on"}, Dst: "off"},
	}, fsm.Callbacks{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println("toggle:", lamp.Event(context.Background(), "toggle"))
		}()
	}
	wg.Wait()
	fmt.Println(lamp.Current())
}
