package run_test

import (
	"fmt"

	"github.com/antichain-go/antichain/internal/runs/run"
	"github.com/antichain-go/antichain/tracer/event"
)

// An environment task creates the tasks of a source that joins later.
func Example() {
	r, header := run.New[string](&event.Header{Tasks: []string{"web"}, Run: "shop"}, true)
	r.Enter("first", &event.Header{Tasks: []string{"web"}})
	fmt.Println(header.Tasks)
	db := &event.Header{Tasks: []string{"db"}}
	for _, e := range r.Join(db) {
		fmt.Println(e.Task, "creates", e.Spawn)
	}
	r.Enter("second", db)
	fmt.Println(r.Leave("second"), "have not ended")
	// Output:
	// [web env]
	// env creates db
	// [db] have not ended
}
