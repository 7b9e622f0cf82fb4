// A goroutine fires an event while another one asks what can be fired.
package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/looplab/fsm"
)

func main() {
	door := fsm.NewFSM("closed", fsm.Events{
		{Name: "open", Src: []string{"closed"}, Dst: "open"},
		{Name: "close", Src: []string{"open"}, Dst: "closed"},
	}, fsm.Callbacks{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		fmt.Println("open:", door.Event(context.Background(), "open"))
	}()
	fmt.Println("can open:", door.Can("open"))
	wg.Wait()
}
