package budget

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Do calls a function and returns true, or false if the context ends first. Then the function is
// still running. A panic is passed on.
func Do(ctx context.Context, do func()) bool {
	done := make(chan string, 1) // a panic, with its stack
	go func() {
		bug := ""
		defer func() {
			if v := recover(); v != nil {
				bug = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
			done <- bug
		}()
		do()
	}()
	select {
	case bug := <-done:
		if bug != "" {
			panic(bug)
		}
		return true
	case <-ctx.Done():
		return false
	}
}
