package snapshot_test

import (
	"fmt"
	"log"

	"github.com/antichain-go/antichain/tracer/snapshot"
)

// tally counts what tasks do.
type tally struct {
	last   string
	counts []int
}

func (t *tally) snapshot(c *snapshot.Codec) {
	c.String(&t.last)
	snapshot.Slice(c, &t.counts, func(n *int) { snapshot.Int(c, n) })
}

// The same function writes a state and reads it.
func Example() {
	written := tally{last: "web", counts: []int{3, 1}}
	w := snapshot.NewWriter()
	written.snapshot(w)

	var read tally
	r := snapshot.NewReader(w.Bytes())
	read.snapshot(r)
	if err := r.End(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read)
	// Output:
	// {web [3 1]}
}
