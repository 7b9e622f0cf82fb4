package onthefly

import (
	"fmt"
	"runtime/debug"

	"github.com/antichain-go/antichain/tlcheck/spec"
)

// stage is a node, what it reads from, and what is new of it.
type stage struct {
	node  node
	kids  []*stage
	fresh [][]*openInterval // room for what comes of the children
	out   []*openInterval   // what is new in the version that was computed last
	lag   int               // see lagOf
	deep  bool              // a child's lag is unbounded
	idle  bool              // all properties that it is for are violated
	calm  bool              // see isCalmNode

	readers int // stages and roots

	formula spec.Formula // that is true, or false, in the open intervals
	value   bool

	line *line // nil if the stages work one after the other
}

// line connects a stage that has a goroutine with others. Its channels hold what is new in one
// version.
type line struct {
	start chan *version
	in    []chan []*openInterval // from the children
	out   []chan []*openInterval // to the parents and the roots
}

// text is the formula that is true in the open intervals, for people.
func (s *stage) text() string {
	switch {
	case s.formula == nil:
		return ""
	case s.value:
		return spec.Format(s.formula)
	}
	return spec.Format(&spec.Not{X: s.formula})
}

// failure ends the work of a pipeline: the error of a stage, or the panic of its goroutine.
type failure struct {
	err   error
	value any // of the panic
	stack []byte
}

// raise returns the error, or panics where a stage has.
func (f failure) raise() error {
	if f.err == nil {
		panic(fmt.Sprintf("onthefly: %v\n%s", f.value, f.stack))
	}
	return f.err
}

// connect makes the channels of the pipeline.
func (c *Checker) connect() {
	for _, s := range c.stages { // the children of a stage stand before it
		s.line = &line{start: make(chan *version)}
		for _, k := range s.kids {
			s.line.in = append(s.line.in, k.line.listen())
		}
	}
	for _, r := range c.roots {
		r.in = r.top.line.listen()
	}
}

// listen returns a channel on which comes what is new of a stage.
func (l *line) listen() chan []*openInterval {
	c := make(chan []*openInterval, 1)
	l.out = append(l.out, c)
	return c
}

// run computes version after version until start is closed. A node may be several versions
// behind the net only if the net is: the next version starts when all roots have finished.
func (s *stage) run(broken chan<- failure) {
	report := func(f failure) {
		select {
		case broken <- f:
		default: // one is enough
		}
	}
	defer func() {
		if r := recover(); r != nil {
			report(failure{value: r, stack: debug.Stack()})
		}
	}()
	for v := range s.line.start {
		for i, c := range s.line.in {
			s.fresh[i] = <-c
		}
		if err := s.compute(v); err != nil {
			report(failure{err: err}) // before anybody has what comes of it
		}
		for _, c := range s.line.out {
			c <- s.out
		}
	}
}

// follow computes a version where the children have done so before.
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
