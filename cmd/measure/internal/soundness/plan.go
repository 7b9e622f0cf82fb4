//go:build unix

package soundness

import (
	"errors"
	"math/rand/v2"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/interleaving"
	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// mixture stands in the table for the programs that use two or three constructs.
const mixture program.Construct = "two or three of them"

// mostStates is how many states a program may have. One with more gives way to another.
const mostStates = 20_000

// subject is a program with all that it can do.
type subject struct {
	number    int
	construct program.Construct // or mixture
	program   *program.Program
	reached   *interleaving.Reached
	refused   int // programs that gave way to it: they had too many states, or Go does not say what they do
}

// newSubject makes the program of that number. It depends on the seed, the number and the list of
// constructs, and on no other program. Every second one has a single construct, in turn.
func newSubject(seed uint64, number int, constructs []program.Construct) *subject {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	s := &subject{number: number, construct: mixture}
	var chosen []program.Construct
	if number%2 == 0 || len(constructs) < 2 {
		s.construct = constructs[number/2%len(constructs)]
		chosen = []program.Construct{s.construct}
	} else {
		for _, i := range r.Perm(len(constructs))[:2+r.IntN(min(2, len(constructs)-1))] {
			chosen = append(chosen, constructs[i])
		}
	}
	for size := 1 + r.IntN(4); ; {
		var err error
		s.program = program.Generate(r, size, chosen...)
		if s.reached, err = interleaving.Explore(s.program, mostStates); err == nil {
			return s
		}
		if s.refused++; errors.Is(err, interleaving.ErrLimit) && size > 1 {
			size--
		}
	}
}
