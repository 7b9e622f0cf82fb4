package workload

import "github.com/antichain-go/antichain/tracer/event"

const (
	bufferSize = 8
	varLast    = "q.last"
	varFirst   = "q.first"
)

// one in messageRate events waits for another task's, if it may
const messageRate = 6

// step makes the next event of a task in phase i.
func (r *run) step(t, i int) {
	if r.err != nil {
		return
	}
	r.ev.Reset()
	r.ev.Task = taskName(t)
	k := r.done[t] + 1
	departs := i > 0 && k == r.ends[t][i-1]+1
	arrives := k == r.ends[t][i]
	switch {
	case r.Pattern == ForkJoin:
		r.tree(t, i, k)
	case departs && r.Variant == Holds && r.Pattern.barriers():
		r.depart(t, i)
	case arrives && i < len(r.phases)-1 && r.Variant == Holds && r.Pattern.barriers():
		r.arrive(t, i)
	case !departs && !arrives && !r.phases[i].hot() && t != r.free && r.rnd.IntN(messageRate) == 0:
		r.message(t)
	}
	r.values(t, k)
	r.done[t] = k
	r.err = r.out(&r.ev)
}

// after makes the event wait for event k of a task.
func (r *run) after(t int, k int32) {
	if k > 0 {
		r.ev.After = append(r.ev.After, event.Ref{Task: taskName(t), K: int(k)})
	}
}

// arrive makes the event one side of a barrier, which signals that the task is there. In a ring a
// token collects the signals, in a tree every task waits for its children, and with locks the lock
// protects a counter.
func (r *run) arrive(t, i int) {
	switch r.Pattern {
	case Ring:
		if t > 0 {
			r.after(t-1, r.ends[t-1][i])
		}
	case Tree:
		for child := 2*t + 1; child <= 2*t+2 && child < r.Tasks; child++ {
			r.after(child, r.ends[child][i])
		}
	case Locks:
		r.lock(t)
	}
	r.ev.Op = "arrive"
}

// depart makes the event the other side of the barrier before phase i: it comes after the arrival
// of all.
func (r *run) depart(t, i int) {
	switch {
	case r.Pattern == Ring && t == 0:
		r.after(r.Tasks-1, r.ends[r.Tasks-1][i-1])
	case r.Pattern == Ring && r.phases[i] == middle:
		r.after(t-1, r.ends[t-1][i]) // the token stays with a task while its turn lasts
	case r.Pattern == Ring:
		r.after(t-1, r.ends[t-1][i-1]+1)
	case r.Pattern == Tree && t > 0:
		parent := (t - 1) / 2
		r.after(parent, r.ends[parent][i-1]+1)
	case r.Pattern == Locks:
		r.lock(t)
	}
	r.ev.Op = "depart"
}

// lock makes the event take the lock and release it.
func (r *run) lock(t int) {
	if r.locked.K > 0 {
		r.ev.After = append(r.ev.After, r.locked)
	}
	r.locked = event.Ref{Task: taskName(t), K: int(r.done[t] + 1)}
	r.ev.Op, r.ev.Obj = "lock", "mu"
}

// message makes the event wait for the last one of a neighbouring task.
func (r *run) message(t int) {
	switch {
	case r.Pattern == Ring:
		from := (t + r.Tasks - 1) % r.Tasks
		r.after(from, r.done[from])
	case r.Pattern == Tree:
		from := (t - 1) / 2 // the root is its own parent
		if child := 2*t + 1 + r.rnd.IntN(2); child < r.Tasks && (t == 0 || r.rnd.IntN(2) == 0) {
			from = child
		}
		if from != t {
			r.after(from, r.done[from])
		}
	case r.Pattern == Locks:
		r.lock(t)
		return
	default:
		return
	}
	r.ev.Op = "receive"
}

// tree makes event k create a child or wait for the children. They signal their end in the second
// event of the last phase, after their own children. They have one more event after that.
func (r *run) tree(t, i int, k int32) {
	switch child := 2*t + int(k); {
	case r.phases[i] == start && k <= 2 && child < r.Tasks:
		r.ev.Spawn, r.ev.Op = taskName(child), "go"
	case r.phases[i] == end && k == r.ends[t][i-1]+1:
		for child := 2*t + 1; child <= 2*t+2 && child < r.Tasks; child++ {
			r.after(child, r.signalled(child))
		}
		r.ev.Op = "wait"
	}
}

// signalled returns the event in which a task signals that it and its descendants are done.
func (r *run) signalled(t int) int32 {
	first := r.ends[t][len(r.phases)-2] + 1
	if 2*t+1 < r.Tasks {
		return min(first+1, r.ends[t][len(r.phases)-1])
	}
	return first
}

// values makes event k of a task set the values that change with it.
func (r *run) values(t int, k int32) {
	labels := r.labels[t]
	now, before := labels[k], labels[k-1]
	for i, name := range atomNames {
		if (now^before)&(isA<<i) != 0 {
			r.set(name, event.BoolValue(now&(isA<<i) != 0))
		}
	}
	if !r.Buffer {
		return
	}
	if call := now & inCall; call != 0 {
		function := "append"
		if call == inRemove {
			function = "remove"
		}
		switch {
		case call != before&inCall:
			r.ev.Enter = function
		case int(k) == len(labels)-1 || labels[k+1]&inCall != call:
			r.ev.Exit = function
		}
	}
	if (now^before)&closeBy != 0 {
		first := r.rnd.IntN(1000)
		distance := r.rnd.IntN(2)
		if now&closeBy == 0 {
			distance = 2 + r.rnd.IntN(bufferSize-2)
		}
		r.set(varFirst, event.IntValue(int64(first)))
		r.set(varLast, event.IntValue(int64(first+distance)))
	}
}

func (r *run) set(name string, v event.Value) {
	r.ev.Global = append(r.ev.Global, event.Binding{Name: name, Value: v})
}
