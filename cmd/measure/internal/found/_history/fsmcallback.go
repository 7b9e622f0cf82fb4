// A callback that runs after a heartbeat, which leaves the state as it is, fires another event.
package main

import (
	"context"
	"fmt"

	"github.com/looplab/fsm"
)

func main() {
	var session *fsm.FSM
	session = fsm.NewFSM("idle", fsm.Events{
		{Name: "heartbeat", Src: []string{"idle"}, Dst: "idle"},
		{Name: "start", Src: []string{"idle"}, Dst: "busy"},
	}, fsm.Callbacks{
		"after_heartbeat": func(ctx context.Context, _ *fsm.Event) {
			fmt.Println("start:", session.Event(ctx, "start"))
		},
	})
	fmt.Println("heartbeat:", session.Event(context.Background(), "heartbeat"))
	fmt.Println(session.Current())
}
