package runs

import (
	"fmt"
	"runtime/debug"
)

// Bug is a bug of this program, found while a run was checked. It ends that run only: an owner that
// retried would find it again at the same record, and so would all later ones.
type Bug struct {
	Value any    // of the panic
	Stack string // where it was
}

func (b *Bug) Error() string { return fmt.Sprintf("this is a bug in antichain: %v", b.Value) }

// Guard calls f, and returns its panic.
func Guard(f func()) (bug *Bug) {
	defer func() {
		if v := recover(); v != nil {
			bug = &Bug{v, string(debug.Stack())}
		}
	}()
	f()
	return nil
}
