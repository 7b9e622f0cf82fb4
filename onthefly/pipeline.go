package onthefly

import (
	"fmt"
	"runtime/debug"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// stage is a node with its inputs and its new open intervals.
type stage struct {
	node  node
	kids  []*stage
	fresh [][]*openInterval // buffer for the children's output
	out   []*openInterval   // new open intervals of the version computed last
	lag   int               // see lagOf
	deep  bool              // a child's lag is unbounded
	idle  bool              // all properties that need it are violated
	calm  bool              // see isCalmNode

	readers int // stages and roots

	formula spec.Formula // true, or false, in the open intervals
	value   bool

	channels *channels // nil if the stages run one after the other
}

// channels connects a stage that has a goroutine with others. Its channels hold the open intervals
// of one version.
type channels struct {
	start chan *version
	in    []chan []*openInterval // from the children
	out   []chan []*openInterval // to the parents and the roots
}

// text returns the formula that is true in the open intervals, for people.
func (s *stage) text() string {
	switch {
	case s.formula == nil:
		return ""
	case s.value:
		return spec.Format(s.formula)
	}
	return spec.Format(&spec.Not{X: s.formula})
}

// failure ends a pipeline: the error of a stage, or the panic of its goroutine.
type failure struct {
	err   error
	value any // of the panic
	stack []byte
}

// raise returns the error, or panics with the value of a stage's panic.
func (f failure) raise() error {
	if f.err == nil {
		panic(fmt.Sprintf("onthefly: %v\n%s", f.value, f.stack))
	}
	return f.err
}

// connect makes the channels of the pipeline.
func (c *Checker) connect() {
	for _, s := range c.stages { // a stage stands after its children
		s.channels = &channels{start: make(chan *version)}
		for _, k := range s.kids {
			s.channels.in = append(s.channels.in, k.channels.listen())
		}
	}
	for _, r := range c.roots {
		r.in = r.top.channels.listen()
	}
}

// listen returns a channel that receives the new open intervals of a stage.
func (l *channels) listen() chan []*openInterval {
	c := make(chan []*openInterval, 1)
	l.out = append(l.out, c)
	return c
}

// run computes version after version until start is closed. A node is never more than one version
// behind the net, because the next version starts when all roots have finished.
func (s *stage) run(broken chan<- failure) {
	report := func(f failure) {
		select {
		case broken <- f:
		default: // one failure is enough
		}
	}
	defer func() {
		if r := recover(); r != nil {
			report(failure{value: r, stack: debug.Stack()})
		}
	}()
	for v := range s.channels.start {
		for i, c := range s.channels.in {
			s.fresh[i] = <-c
		}
		if err := s.compute(v); err != nil {
			report(failure{err: err}) // before any reader uses the result
		}
		for _, c := range s.channels.out {
			c <- s.out
		}
	}
}

// follow computes a version after the children have.
func (s *stage) follow(v *version) error {
	for i, k := range s.kids {
		s.fresh[i] = k.out
	}
	return s.compute(v)
}

func (s *stage) compute(v *version) (err error) {
	s.out = nil
	if !s.idle && !s.passes(v) {
		s.out, err = s.node.update(v, s.fresh)
	}
	return err
}
