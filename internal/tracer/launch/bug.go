package launch

import (
	"fmt"
	"runtime/debug"
)

// Bug is a panic on a goroutine of this package. It is carried to the goroutine that waits.
type Bug struct {
	Value any    // of the panic
	Stack []byte // where it happened
}

// Error returns the value and the stack.
func (b *Bug) Error() string { return fmt.Sprintf("%v\n%s", b.Value, b.Stack) }

// capture calls f and returns its panic, if any. A Bug that was captured before is returned as it
// is.
func capture(f func()) (bug *Bug) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Bug:
			bug = v
		default:
			bug = &Bug{v, debug.Stack()}
		}
	}()
	f()
	return nil
}
