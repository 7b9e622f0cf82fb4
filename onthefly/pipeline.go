package onthefly

import "runtime/debug"

// stage is a node with its goroutine and the channels to its parents.
type stage struct {
	node  node
	in    []chan []*piece // from the children; each holds what is new in one version
	out   []chan []*piece
	fresh [][]*piece // room for what comes in
	start chan *version
	lag   int    // see lagOf
	deep  bool   // a child's lag is unbounded
	text  string // of the formula, for people
	kids  []*stage
	idle  bool // all properties that it is for are violated
}

// failure is a panic in a goroutine of the pipeline.
type failure struct {
	value any
	stack []byte
}

// run computes version after version until start is closed. A node may be several versions
// behind the net only if the net is: the next version starts when all roots have finished.
func (s *stage) run(broken chan<- failure) {
	defer func() {
		if r := recover(); r != nil {
			select {
			case broken <- failure{r, debug.Stack()}:
			default: // one is enough
			}
		}
	}()
	for v := range s.start {
		s.compute(v)
	}
}

// compute takes what is new of the children in a version and passes on what is new of the node. The
// channels hold that of one version.
func (s *stage) compute(v *version) {
	for i, c := range s.in {
		s.fresh[i] = <-c
	}
	var fresh []*piece
	if !s.idle {
		fresh = s.node.update(v, s.fresh)
	}
	for _, c := range s.out {
		c <- fresh
	}
}
