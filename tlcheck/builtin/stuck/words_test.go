package stuck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/tlcheck/builtin/internal/candidate"
	"github.com/antichain-go/antichain/tracer/op"
)

// objectNames names objects by their numbers.
type objectNames struct{ op.Names }

func (objectNames) Object(o op.Object) string { return fmt.Sprintf("object %d", o) }

// Cases that do the same are described together.
func TestCasesOf(t *testing.T) {
	send, recv := op.Case{Send: true, Object: 1}, func(o op.Object) op.Case { return op.Case{Object: o} }
	for want, cases := range map[string][]op.Case{
		"to send on object 1":                                 {send},
		"to receive from object 2 or object 3":                {recv(2), recv(3)},
		"to receive from object 2, object 3 or a nil channel": {recv(2), recv(3), recv(0)},
		"to receive from object 2 or to send on object 1 or to receive from object 3 or object 4": {recv(2), send, recv(3), recv(4)},
	} {
		if got := strings.Join(words{Words: candidate.Words{Names: objectNames{}}}.casesOf(cases), " or "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
