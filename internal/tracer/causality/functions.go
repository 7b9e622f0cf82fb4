package causality

import "github.com/antichain-go/antichain/tracer/event"

// Frame is a traced function that has been entered and not left.
type Frame struct {
	Function int32 // its number
	Name     string
	Token    uint64 // the same on entry and exit
}

// MakeTask makes a goroutine a task if it can be one, and reports whether it is.
func (p *Order) MakeTask(ctx uint64) bool { return p.isTask(p.goroutines.get(ctx)) }

// Event returns an event without content, for Enter, Leave or Keep. It is reused.
func (p *Order) Event() *event.Event {
	p.ev.Reset()
	return &p.ev
}

// Keep appends the latest Event to the trace, as an event of the goroutine ctx, which must be a
// task.
func (p *Order) Keep(ctx uint64) { p.keep(p.goroutines.get(ctx)) }

// Enter is Keep for an event by which the goroutine enters a function.
func (p *Order) Enter(ctx uint64, f Frame) {
	g := p.goroutines.get(ctx)
	g.frames = append(g.frames, f)
	p.keep(g)
}

// Leave is Keep for an event by which the goroutine leaves the function that it is in; see Unwind.
func (p *Order) Leave(ctx uint64) {
	g := p.goroutines.get(ctx)
	g.frames = g.frames[:len(g.frames)-1]
	p.keep(g)
}

// Unwind keeps the exits of the functions above one that a goroutine is about to leave: a panic has
// kept them from recording theirs. It reports false if that function was never entered.
func (p *Order) Unwind(ctx uint64, function int32, token uint64) bool {
	g, at := p.goroutines.get(ctx), -1
	for i := len(g.frames) - 1; i >= 0; i-- {
		f := &g.frames[i]
		if f.Function != function {
			continue
		}
		if at < 0 {
			at = i
		}
		if f.Token == token { // the call that is meant, of a recursive function
			at = i
			break
		}
	}
	if at < 0 {
		return false
	}
	p.closeFrames(g, at+1)
	return true
}

// closeFrames writes exits until n frames are left.
func (p *Order) closeFrames(g *goroutine, n int) {
	for len(g.frames) > n {
		top := len(g.frames) - 1
		p.ev.Reset()
		p.ev.Exit = g.frames[top].Name
		g.frames = g.frames[:top]
		p.keep(g)
	}
}
