package budget

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Do does what may take any time and returns true, or false if the context ended before that; then it is
// still being done. A panic goes on here.
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
