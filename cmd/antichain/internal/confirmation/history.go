package confirmation

import (
	"github.com/antichain-go/antichain/internal/tracer/schedule"
	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck"
)

// scheduleOfHistory returns a schedule with the calls and returns of operations in an order that
// cannot be explained.
func scheduleOfHistory(
	h *tlcheck.History, net *san.Net, source func(string) ([]byte, int, bool),
) (*schedule.Schedule, error) {
	s := new(schedule.Schedule)
	done := map[san.Task]int32{}
	for _, e := range h.Events {
		a := e.Action
		if err := addOrigin(s, net, a.Task, source); err != nil {
			return nil, err
		}
		step := stepOf(net, a, 1, source)
		for k := done[a.Task] + 1; k < a.K; k++ {
			other := stepOf(net, san.Action{Task: a.Task, K: k}, 1, nil)
			if other.Event == step.Event && other.Function == step.Function {
				step.Nth++
			}
		}
		done[a.Task] = a.K
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}
