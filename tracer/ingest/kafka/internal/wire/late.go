package wire

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// lateAfter is how long a broker may take to answer before it is worth asking others whether it is still the one to ask.
const lateAfter = 2 * time.Second

// attempts are the requests under way to brokers that lead partitions. A broker that is stuck would keep its partitions until the
// request's deadline, though another one leads them by then. So the leaders are asked for while a request is late, and it is
// given up when a partition has moved.
type attempts struct {
	mu  sync.Mutex
	all map[*attempt]struct{}
}

// attempt is a request under way.
type attempt struct {
	begun  time.Time
	moved  func() bool
	giveUp context.CancelFunc
}

// try makes a request. When it is late, ask has the leaders asked for. Moved reports whether another broker leads a partition now.
func (a *attempts) try(ctx context.Context, ask func(), moved func() bool, request func(context.Context)) {
	limited, giveUp := context.WithCancel(ctx)
	defer giveUp()
	t := &attempt{time.Now(), moved, giveUp}
	a.mu.Lock()
	if a.all == nil {
		a.all = map[*attempt]struct{}{}
	}
	a.all[t] = struct{}{}
	a.mu.Unlock()
	late := time.AfterFunc(lateAfter, ask)
	defer late.Stop()
	request(limited)
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, t)
}

// timedOut reports whether an error is that something has taken too long.
func timedOut(err error) bool {
	var waited net.Error
	return errors.As(err, &waited) && waited.Timeout()
}

// review gives up what is late and has moved. It is called when the leaders are known, and reports whether something else is late.
func (a *attempts) review() (late bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for t := range a.all {
		switch {
		case time.Since(t.begun) < lateAfter:
		case t.moved():
			t.giveUp()
		default:
			late = true
		}
	}
	return late
}
