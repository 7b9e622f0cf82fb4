package live

import (
	"github.com/antichain-go/antichain/cmd/antichain/internal/findings"
	"github.com/antichain-go/antichain/cmd/antichain/internal/hang"
	"github.com/antichain-go/antichain/internal/tracer/launch"
	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tracer/op"
)

// Watch has the program halted for violations of built-in properties too, goroutines that wait for
// ever among them.
func (l *Session) Watch(w *findings.Watch, when Flag) {
	l.builtins, l.predicted = w, when.Predicted
	if w == nil {
		return
	}
	c := &l.monitor.Checker
	standing := func(names op.Names) *builtin.Standing { return w.Standing(c, names) }
	l.hang = hang.New(standing, c.Style.Source, c.Stderr)
	l.hang.Report = func(names op.Names, found []builtin.Finding) {
		if l.over == nil && l.Run != nil {
			l.announce(w.Reported(c, names, found))
		}
	}
}

// watchHangs has the program watched for goroutines that wait for ever.
func (l *Session) watchHangs(cfg *launch.Config) {
	if l.hang != nil {
		cfg.Watch, cfg.Between = both{cfg.Watch, l.hang}, l.hang.Between
		cfg.Quit, cfg.Where = l.hang.Ask, l.hang.Answer
	}
}

// both are two watchers of the same operations.
type both [2]op.Watcher

// Op implements op.Watcher.
func (b both) Op(o *op.Op) {
	b[0].Op(o)
	b[1].Op(o)
}
