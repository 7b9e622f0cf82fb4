package wire

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// lateAfter is how long a broker may take to answer before others are asked whether it is still the
// right one.
const lateAfter = 2 * time.Second

// attempts are the requests in progress to brokers that lead partitions. A broker that is stuck
// would block its partitions until the request's deadline, though another one leads them by then.
// So the leaders are requested while a request is late, and it is given up when a partition has
// moved.
type attempts struct {
	mu  sync.Mutex
	all map[*attempt]struct{}
}

// attempt is a request in progress.
type attempt struct {
	begun  time.Time
	moved  func() bool
	giveUp context.CancelFunc
}

// try makes a request to a broker. Once it is late, ask requests the leaders. The request is given
// up if moved then reports that another broker leads one of its partitions (see review).
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

func timedOut(err error) bool {
	var waited net.Error
	return errors.As(err, &waited) && waited.Timeout()
}

// review gives up late requests whose partitions have moved. It is called when the leaders are
// known, and reports whether another request is late.
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
