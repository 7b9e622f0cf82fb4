// stuck: goroutines that wait for ever.
//
// Reported are goroutines that are still blocked at the end of the run, if no goroutine that can
// run can wake them: at a channel, in a select statement, for a lock, a WaitGroup or a Cond, also
// for each other.
//
// Reported is also a goroutine that waits for ever in another order of the run:
//
//   - the select statement of its partner takes another case, or the default because it comes
//     earlier
//   - every Signal comes before the goroutine waits for a Cond
//   - it waits for the answer to a request, and the goroutine that answers has already looked for
//     requests for the last time, and ended
//   - it holds a lock that its partner takes after another case
//   - it waits for a lock, and the goroutine that unlocks it can do so only after the waiting one
//
// The source says what the partner does after that case. If the source leaves it open, the report
// is only possible, and is not a violation.
//
// Not reported are goroutines that something can still wake: a timer, a signal, or a goroutine
// that sleeps, is in a system call, or was woken and did not get a processor before the program
// ended. Nor are goroutines that packages start when they are initialised, which serve as long as
// the program runs; nor main in a select statement without cases, while other goroutines work;
// nor, if another goroutine than main calls os.Exit, main and those that have started that
// goroutine: they may wait for it. A .tl file names other functions whose goroutines may wait
// until the end:
//
//	may_wait serve, sql."(*DB).connectionOpener"
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

// noReceiver gives up on a result that comes too late.
func noReceiver() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	result := make(chan int)
	go func() {
		<-ctx.Done()
		result <- 1 // want stuck "observed"
	}()
	<-ctx.Done()
	pause(400 * time.Millisecond)
}

// lockedCopy works on a copy of an account whose lock was locked when it was made.
func lockedCopy() {
	type account struct {
		mu      sync.Mutex
		balance int
	}
	a := new(account)
	a.mu.Lock() // want copy "and not unlocked"
	b := *a
	a.mu.Unlock()
	go func() {
		b.mu.Lock() // want stuck "it is a copy of a lock, made while that was locked"
		b.balance++
		b.mu.Unlock()
	}()
	pause(100 * time.Millisecond)
}

// timeout gets the result in time. If it had not, nobody would receive it.
func timeout() {
	result := make(chan int)
	go func() {
		result <- 1 // want stuck "predicted"
	}()
	select {
	case <-result:
	case <-time.After(time.Second):
	}
}

// timeoutWaits receives the result even if it comes too late.
//
// want none
func timeoutWaits() {
	result := make(chan int)
	go func() {
		result <- 1
	}()
	select {
	case <-result:
	case <-time.After(time.Second):
		<-result
	}
}

// timeoutDrains waits for all results in the end, after a time-out too.
//
// want none
func timeoutDrains() {
	results := []chan int{make(chan int), make(chan int)}
	for i, result := range results {
		go func() {
			result <- i
		}()
	}
	var drain = func() {
		for _, result := range results {
			<-result
		}
	}
	select {
	case <-results[0]:
		<-results[1]
	case <-time.After(time.Second):
		drain()
	}
}

// timeoutExits ends the program if the result comes too late.
//
// want none
func timeoutExits() {
	result := make(chan int)
	go func() {
		result <- 1
	}()
	select {
	case <-result:
	case <-time.After(time.Second):
		os.Exit(1)
	}
}

// timeoutAgain says that the result is late, and goes on to wait for it.
//
// want none
func timeoutAgain() {
	result := make(chan int)
	go func() {
		result <- 1
	}()
	for received := false; !received; {
		select {
		case <-result:
			received = true
		case <-time.After(time.Second):
			println("late")
		}
	}
}

// timeoutElsewhere is called with what to do if the result is late. What that is cannot be told from this function.
func timeoutElsewhere() {
	result := make(chan int)
	go func() {
		result <- 1 // want stuck "possible"
	}()
	wait := func(call func(func())) {
		call(func() {
			select {
			case <-result:
			case <-time.After(time.Second):
			}
		})
	}
	wait(func(f func()) { f() })
}

// bothInTurn receives from two goroutines, whichever comes first: taking one case leads back to the other one.
//
// want none
func bothInTurn() {
	a, b := make(chan int), make(chan int)
	go func() {
		a <- 1
	}()
	go func() {
		b <- 1
	}()
	for i := 0; i < 2; i++ {
		select {
		case <-a:
		case <-b:
		}
	}
}

// bothSeen notes from whom it has received.
//
// want none
func bothSeen() {
	a, b := make(chan int), make(chan int)
	go func() {
		a <- 1
	}()
	go func() {
		b <- 1
	}()
	seenA, seenB := false, false
	for !seenA || !seenB {
		select {
		case <-a:
			seenA = true
		case <-b:
			seenB = true
		}
	}
}

// bothCounted leaves the loop when it has received from all.
//
// want none
func bothCounted() {
	a, b := make(chan int), make(chan int)
	go func() {
		a <- 1
	}()
	go func() {
		b <- 1
	}()
	done := 0
loop:
	for {
		select {
		case <-a:
			if done++; done == 2 {
				break loop
			}
		case <-b:
			if done++; done == 2 {
				break loop
			}
		}
	}
}

// firstOfBoth leaves the loop when it is told to stop. Then nobody receives the result.
func firstOfBoth() {
	result, stop := make(chan int), make(chan bool)
	go func() {
		result <- 1 // want stuck "predicted"
	}()
	pause(40 * time.Millisecond)
	go func() {
		pause(100 * time.Millisecond)
		close(stop)
	}()
loop:
	for {
		select {
		case <-result:
			break loop
		case <-stop:
			break loop
		}
	}
	pause(200 * time.Millisecond)
}

// feedCloses ends the range of who receives by what is deferred, however it returns.
//
// want none
func feedCloses() {
	next, stop := make(chan int), make(chan bool)
	received := make(chan bool)
	go func() {
		for range next {
		}
		close(received)
	}()
	go func() {
		pause(10 * time.Millisecond)
		close(stop)
	}()
	feed := func(out chan<- int) {
		for i := 0; ; i++ {
			select {
			case out <- i:
				time.Sleep(time.Millisecond)
			case <-stop:
				return
			}
		}
	}
	func() {
		defer close(next)
		feed(next)
	}()
	<-received
}

// feedStops returns when it is told to stop, and leaves who receives waiting.
func feedStops() {
	next, stop := make(chan int), make(chan bool)
	go func() {
		for range next { // want stuck "observed"
		}
	}()
	go func() {
		pause(10 * time.Millisecond)
		close(stop)
	}()
	func() {
		for i := 0; ; i++ {
			select {
			case next <- i:
				time.Sleep(time.Millisecond)
			case <-stop:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// workerExits waits for a worker that ends the program when it cannot go on.
//
// want none
func workerExits() {
	result := make(chan int)
	go func() {
		_, err := os.ReadFile("")
		if err != nil {
			os.Exit(0)
		}
		result <- 1
	}()
	<-result
}

// timeoutBuffered has room for the result that nobody receives.
//
// want none
func timeoutBuffered() {
	result := make(chan int, 1)
	go func() {
		result <- 1
	}()
	select {
	case <-result:
	case <-time.After(time.Second):
	}
}

// eachOther has two goroutines of which each waits for the other one.
func eachOther() {
	a, b := make(chan int), make(chan int)
	go func() {
		<-a // want stuck "observed"
		b <- 1
	}()
	go func() {
		<-b // want stuck "observed"
		a <- 1
	}()
	pause(200 * time.Millisecond)
}

// doubleLock locks a mutex that it holds.
func doubleLock() {
	var mu sync.Mutex
	go func() {
		mu.Lock()
		mu.Lock() // want stuck "observed"
	}()
	pause(200 * time.Millisecond)
}

// readTwice locks for reading again while a writer waits for the first time to be over.
func readTwice() {
	var mu sync.RWMutex
	go func() {
		mu.RLock()
		pause(200 * time.Millisecond)
		mu.RLock() // want deadlock "observed"
	}()
	pause(40 * time.Millisecond)
	go func() {
		mu.Lock() // want deadlock "observed"
	}()
	pause(400 * time.Millisecond)
}

// flushedTooLate drains its requests and ends. A request that comes later would wait for ever.
func flushedTooLate() {
	requests, stop := make(chan chan bool, 4), make(chan bool)
	go func() {
		for {
			select {
			case done := <-requests:
				close(done)
			case <-stop:
				for {
					select {
					case done := <-requests: // want stuck "may take the default of its select"
						close(done)
					default:
						return
					}
				}
			}
		}
	}()
	go func() {
		done := make(chan bool)
		requests <- done
		<-done // want stuck "may take the default of its select"
	}()
	pause(40 * time.Millisecond)
	close(stop)
	pause(100 * time.Millisecond)
}

// flushedInTime is stopped when all requests are answered.
//
// want none
func flushedInTime() {
	requests, stop := make(chan chan bool, 4), make(chan bool)
	go func() {
		for {
			select {
			case done := <-requests:
				close(done)
			case <-stop:
				for {
					select {
					case done := <-requests:
						close(done)
					default:
						return
					}
				}
			}
		}
	}()
	done := make(chan bool)
	requests <- done
	<-done
	close(stop)
	pause(100 * time.Millisecond)
}

// rateLocked changes the rate of a sampler under the lock that the sampler takes whenever its timer
// has fired. It may fire once more before the sampler has the new rate.
func rateLocked() {
	var mu sync.Mutex
	rates, sampled := make(chan time.Duration), make(chan int, 1)
	go func() {
		timer := time.NewTimer(time.Millisecond)
		for {
			select {
			case d, ok := <-rates:
				if !ok {
					return
				}
				timer.Reset(d)
			case <-timer.C:
				mu.Lock() // want stuck "predicted. .* may take another case, and then waits for"
				sampled <- 1
				mu.Unlock()
				timer.Reset(time.Second)
			}
		}
	}()
	<-sampled
	mu.Lock()
	rates <- time.Minute // want stuck "predicted. .* may take another case, and then waits for"
	mu.Unlock()
	close(rates)
}

// rateUnlocked changes the rate without the lock.
//
// want none
func rateUnlocked() {
	var mu sync.Mutex
	rates, sampled := make(chan time.Duration), make(chan int, 1)
	go func() {
		timer := time.NewTimer(time.Millisecond)
		for {
			select {
			case d, ok := <-rates:
				if !ok {
					return
				}
				timer.Reset(d)
			case <-timer.C:
				mu.Lock()
				sampled <- 1
				mu.Unlock()
				timer.Reset(time.Second)
			}
		}
	}()
	<-sampled
	mu.Lock()
	mu.Unlock()
	rates <- time.Minute
	close(rates)
}

// unlockedLate locks once more before it starts the goroutine that unlocks what another one locks.
func unlockedLate() {
	var mu sync.Mutex
	locked, done := make(chan int), make(chan int)
	go func() {
		pause(20 * time.Millisecond)
		mu.Lock()
		close(locked)
	}()
	mu.Lock() // want stuck "predicted, locks reordered. .* unlocks it for .* only after that"
	mu.Unlock()
	go func() {
		<-locked
		mu.Unlock()
		close(done)
	}()
	<-done
}

// unlockedInTime starts it before.
//
// want none
func unlockedInTime() {
	var mu sync.Mutex
	locked, done := make(chan int), make(chan int)
	go func() {
		pause(20 * time.Millisecond)
		mu.Lock()
		close(locked)
	}()
	go func() {
		<-locked
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	mu.Unlock()
	<-done
}

// neverUnlocked ends without giving its lock back.
func neverUnlocked() {
	var mu sync.Mutex
	go func() {
		mu.Lock()
	}()
	pause(40 * time.Millisecond)
	go func() {
		mu.Lock() // want stuck "observed"
	}()
	pause(200 * time.Millisecond)
}

// sometimesUnlocked forgets its lock on one way, which another goroutine has not met.
func sometimesUnlocked() {
	var mu sync.Mutex
	update := func(ok bool) {
		mu.Lock() // want deadlock "predicted, locks reordered"
		if ok {
			mu.Unlock()
		}
	}
	go func() {
		mu.Lock() // want stuck "predicted, locks reordered" deadlock "predicted, locks reordered"
		mu.Unlock()
	}()
	go func() {
		pause(40 * time.Millisecond)
		mu.Lock() // want stuck "predicted, locks reordered" deadlock "predicted, locks reordered"
		mu.Unlock()
	}()
	pause(100 * time.Millisecond)
	go update(false)
	pause(100 * time.Millisecond)
}

// failsLocked panics with its lock, as the channel is closed. It would not, and would unlock, if it came before who closes that, but what
// another goroutine locks has nothing to do with it.
func failsLocked() {
	var mu sync.Mutex
	numbers := make(chan int, 1)
	go func() {
		mu.Lock()
		close(numbers) // want closed "observed"
		mu.Unlock()
	}()
	pause(40 * time.Millisecond)
	go func() {
		mu.Lock() // want stuck "predicted, locks reordered" deadlock "predicted, locks reordered"
		mu.Unlock()
	}()
	pause(40 * time.Millisecond)
	go func() {
		defer func() { _ = recover() }()
		mu.Lock()    // want deadlock "predicted, locks reordered"
		numbers <- 1 // want closed "observed"
		mu.Unlock()
	}()
	pause(100 * time.Millisecond)
}

// neverSignalled waits for a condition of which nobody tells.
func neverSignalled() {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		changed.Wait() // want stuck "observed"
		mu.Unlock()
	}()
	pause(200 * time.Millisecond)
}

// lostSignal tells of a condition before anybody waits, and nobody looks whether it is true.
func lostSignal() {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	go func() {
		pause(40 * time.Millisecond)
		mu.Lock()
		changed.Wait() // want stuck "observed"
		mu.Unlock()
	}()
	mu.Lock()
	changed.Signal()
	mu.Unlock()
	pause(400 * time.Millisecond)
}

// missedSignal tells of a change without the lock: that may come when the goroutine has looked and does not wait
// yet.
func missedSignal() {
	var mu sync.Mutex
	var ready atomic.Bool
	changed := sync.NewCond(&mu)
	done := make(chan bool)
	go func() {
		mu.Lock()
		for !ready.Load() {
			changed.Wait() // want stuck "predicted"
		}
		mu.Unlock()
		close(done)
	}()
	pause(40 * time.Millisecond)
	ready.Store(true)
	changed.Broadcast()
	<-done // want stuck "then waits to receive"
}

// signalTooEarly is woken when there is room. If the worker comes first, the signal is lost.
func signalTooEarly() {
	wake, done := make(chan bool), make(chan bool)
	go func() {
		pause(50 * time.Millisecond)
		select {
		case wake <- true:
		default:
		}
		close(done)
	}()
	<-wake // want stuck "may take its default"
	<-done
}

// signalKept does the same, and leaves the signal in the buffer if no goroutine waits yet.
//
// want none
func signalKept() {
	wake, done := make(chan bool, 1), make(chan bool)
	go func() {
		pause(50 * time.Millisecond)
		select {
		case wake <- true:
		default:
		}
		close(done)
	}()
	<-wake
	<-done
}

// signalAgain tries until the signal is heard.
//
// want none
func signalAgain() {
	wake, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case wake <- true:
				return
			default:
				pause(time.Millisecond)
			}
		}
	}()
	<-wake
	<-done
}

// queue changes its condition under the lock, and signals behind it.
//
// want none
func queue() {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	jobs, closed := 0, false
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !closed || jobs > 0 {
				if jobs == 0 {
					changed.Wait()
					continue
				}
				jobs--
				mu.Unlock()
				time.Sleep(time.Millisecond)
				mu.Lock()
			}
		})
	}
	for range 20 {
		mu.Lock()
		jobs++
		mu.Unlock()
		changed.Signal()
	}
	mu.Lock()
	closed = true
	mu.Unlock()
	changed.Broadcast()
	wg.Wait()
}

// nilChannel receives from a channel that was never made.
func nilChannel() {
	var never chan int
	go func() {
		<-never // want stuck "observed"
	}()
	pause(200 * time.Millisecond)
}

// emptySelect has no case that could be ready.
func emptySelect() {
	go func() {
		select {} // want stuck "observed"
	}()
	pause(200 * time.Millisecond)
}

// manyCases waits for results that do not come, in more cases than can be told.
func manyCases() {
	cases := make([]reflect.SelectCase, 600)
	for i := range cases {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}
	}
	go func() {
		reflect.Select(cases) // want stuck "or in one of 592 more cases"
	}()
	pause(100 * time.Millisecond)
}

// serving serves to the end, as a may_wait line says of it.
//
// want none
func serving() {
	events := make(chan int, 8)
	go func() {
		for range events {
		}
	}()
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() { events <- i })
	}
	wg.Wait()
	pause(10 * time.Millisecond)
}

// neverClosed ranges over a channel that nobody closes.
func neverClosed() {
	jobs := make(chan int)
	go func() {
		for range jobs { // want stuck "observed"
		}
	}()
	jobs <- 1
	jobs <- 2
	pause(200 * time.Millisecond)
}

// halfRead writes to a pipe of which nobody reads the rest.
func halfRead() {
	r, w := io.Pipe()
	go func() {
		w.Write([]byte("first"))
		w.Write([]byte("rest")) // want stuck "observed"
	}()
	io.ReadFull(r, make([]byte, 5))
	pause(400 * time.Millisecond)
}

// neverDone waits for a worker that forgets to say that it is done.
func neverDone() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {}()
	go func() {
		wg.Wait() // want stuck "observed"
	}()
	pause(200 * time.Millisecond)
}

// allAsleep is ended by the runtime, since nobody can go on.
func allAsleep() {
	results := make(chan int)
	go func() {
		results <- 1
	}()
	<-results
	<-results // want stuck "observed"
}

// cancelled tells its worker to end, and does not wait for that.
//
// want none
func cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan bool)
	go func() {
		close(started)
		<-ctx.Done()
	}()
	<-started
	pause(40 * time.Millisecond)
	cancel()
}

// forSignals waits for what comes from outside.
//
// want none
func forSignals() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
	}()
	pause(200 * time.Millisecond)
}

// ticking waits for a timer.
//
// want none
func ticking() {
	ticks := time.NewTicker(time.Hour)
	go func() {
		for range ticks.C {
		}
	}()
	pause(200 * time.Millisecond)
}

// polling wakes again and again, only to wait for what never comes.
func polling() {
	done := make(chan bool)
	go func() {
		for {
			select { // want stuck "observed. .* polls for ever"
			case <-time.After(10 * time.Millisecond):
			case <-done:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingContext does so with a ticker, and a context that is not cancelled.
func pollingContext() {
	ctx, cancel := context.WithCancel(context.Background())
	defer func() {
		if ctx.Err() != nil {
			cancel()
		}
	}()
	ticks := time.NewTicker(10 * time.Millisecond)
	go func() {
		for {
			select { // want stuck "observed. .* polls for ever"
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingTwice gives up after some time.
//
// want none
func pollingTwice() {
	done := make(chan bool)
	go func() {
		for n := 0; n < 1000; n++ {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-done:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingFor polls until one who sleeps tells it to end.
//
// want none
func pollingFor() {
	done := make(chan bool)
	go func() {
		time.Sleep(time.Hour)
		close(done)
	}()
	go func() {
		for {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-done:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingUntil polls until its context is over.
//
// want none
func pollingUntil() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer func() {
		if ctx.Err() != nil {
			cancel()
		}
	}()
	go func() {
		for {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingDeadline polls until its time is over.
//
// want none
func pollingDeadline() {
	done := make(chan bool)
	go func() {
		deadline := time.After(time.Hour)
		for {
			select {
			case <-time.After(10 * time.Millisecond):
			case <-deadline:
				return
			case <-done:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// pollingCalls may end when what it calls says so, which nobody has done.
func pollingCalls() {
	done := make(chan bool)
	look := func() {}
	go func() {
		for {
			select { // want stuck "possible. .* polls for ever"
			case <-time.After(10 * time.Millisecond):
				look()
			case <-done:
				return
			}
		}
	}()
	pause(200 * time.Millisecond)
}

// reading waits for one that waits for input.
//
// want none
func reading() {
	in, _, err := os.Pipe()
	if err != nil {
		return
	}
	lines := make(chan []byte)
	go func() {
		line := make([]byte, 80)
		for {
			n, err := in.Read(line)
			if err != nil {
				return
			}
			lines <- line[:n]
		}
	}()
	go func() {
		<-lines
	}()
	pause(200 * time.Millisecond)
}

// senderSleeps ends before the sender has come so far.
//
// want none
func senderSleeps() {
	result := make(chan int)
	go func() {
		time.Sleep(time.Hour)
		result <- 1
	}()
	go func() {
		<-result
	}()
	pause(200 * time.Millisecond)
}

// pipeline closes each channel when nothing more will come.
//
// want none
func pipeline() {
	numbers, squares := make(chan int), make(chan int)
	go func() {
		defer close(numbers)
		for i := range 10 {
			numbers <- i
		}
	}()
	go func() {
		defer close(squares)
		for n := range numbers {
			squares <- n * n
		}
	}()
	for range squares {
	}
}
