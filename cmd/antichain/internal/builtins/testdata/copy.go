// copy: a lock that is copied after it has been used.
//
// Reported is a copy of a Mutex, RWMutex, WaitGroup, Cond or Once that has been used, alone or as
// a part of a larger value: by an assignment, as an argument, receiver or result that is not a
// pointer, by a range loop, by append when the slice moves, by a send, or by storing it in an
// interface or a map. The copy is another lock, which begins in the state of the original: it may
// be locked for ever, and users of one do not wait for users of the other.
//
// Not reported are copies of an object that has not been used, or that was overwritten by a new
// value since. Copies are looked for in the packages named on the command line and the rest of
// their modules, and in those that --race-in names. Copies that the standard library makes, as
// package reflect does, are not reported.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// byValue gives a function a copy of the account, and of its lock.
func byValue() {
	type account struct {
		mu      sync.Mutex
		balance int
	}
	deposit := func(a account, n int) {
		a.mu.Lock()
		a.balance += n
		a.mu.Unlock()
	}
	a := new(account)
	var wg sync.WaitGroup
	wg.Go(func() {
		a.mu.Lock() // want copy "copies a\\.mu"
		a.balance++
		a.mu.Unlock()
	})
	wg.Wait()
	deposit(*a, 1) // want copy "observed.*copies a\\.mu, which byValue.* has locked"
}

// waitGroupByValue gives each worker a WaitGroup of its own, of which main knows nothing.
func waitGroupByValue() {
	var wg sync.WaitGroup
	done := make(chan bool)
	worker := func(wg sync.WaitGroup) {
		wg.Done()
		done <- true
	}
	wg.Add(1)
	go worker(wg) // want copy "copies wg"
	<-done
	wg.Done()
	wg.Wait()
}

// copyLocked copies a lock that is locked: nobody unlocks the copy.
func copyLocked() {
	type account struct {
		mu      sync.Mutex
		name    string
		history [4]int
		balance int
	}
	a := new(account)
	a.mu.Lock()
	b := *a // want copy "copies a\\.mu, which main has locked at .* and not unlocked"
	a.mu.Unlock()
	if !b.mu.TryLock() {
		fmt.Println("locked for ever")
	}
}

// rangeOver copies each element of a slice in turn.
func rangeOver() {
	type account struct {
		mu      sync.Mutex
		name    string
		history [4]int
		balance int
	}
	accounts := make([]account, 3)
	for i := range accounts {
		accounts[i].mu.Lock()
		accounts[i].balance = i
		accounts[i].mu.Unlock()
	}
	sum := 0
	for _, a := range accounts { // want copy "copies accounts\\[i\\]\\.mu"
		sum += a.balance
	}
	fmt.Println(sum)
}

// appended moves accounts that are in use, where append finds no room behind them.
func appended() {
	type account struct {
		mu      sync.Mutex
		balance int
	}
	accounts := make([]account, 1)
	first := &accounts[0]
	first.mu.Lock()
	first.balance = 1
	first.mu.Unlock()
	accounts = append(accounts, account{}) // want copy "copies first\\.mu"
	fmt.Println(len(accounts))
}

// sent copies a RWMutex into a channel, and out of an interface.
func sent() {
	type table struct {
		mu sync.RWMutex
		n  int
	}
	t := new(table)
	t.mu.RLock()
	t.mu.RUnlock()
	c := make(chan table, 1)
	c <- *t                          // want copy "copies t\\.mu"
	fmt.Println((any(*t)).(table).n) // want copy "copies t\\.mu"
}

// onceAgain copies a Once, which is then done again or not.
func onceAgain() {
	type lazy struct {
		once  sync.Once
		value int
	}
	l := new(lazy)
	l.once.Do(func() { l.value = 1 })
	m := *l // want copy "copies l\\.once"
	m.once.Do(func() { m.value = 2 })
	fmt.Println(m.value)
}

// fields reads what is beside a lock, and prints and compares it.
//
// want none
func fields() {
	type account struct {
		mu      sync.Mutex
		name    string
		history [4]int
		balance int
	}
	a, b := new(account), new(account)
	for _, x := range []*account{a, b} {
		x.mu.Lock()
		x.balance, x.history[2] = 1, 2
		x.mu.Unlock()
	}
	history := a.history
	fmt.Println(a.name, history, a.balance == b.balance, a.history == b.history)
	fmt.Printf("%v\n", a)
	list := []*account{a}
	list = append(list, b)
	fmt.Println(len(list))
}

// beforeUse copies a value with a lock that nobody has used.
//
// want none
func beforeUse() {
	type account struct {
		mu      sync.Mutex
		name    string
		history [4]int
		balance int
	}
	a := new(account)
	a.balance = 1
	b := *a
	b.mu.Lock()
	b.balance++
	b.mu.Unlock()
	fmt.Println(b.balance)
}

// reset makes an account a new one, and copies that.
//
// want none
func reset() {
	type account struct {
		mu      sync.Mutex
		name    string
		history [4]int
		balance int
	}
	a := new(account)
	a.mu.Lock()
	a.balance = 1
	a.mu.Unlock()
	*a = account{name: "new"}
	b := *a
	fmt.Println(b.name)
}

// counters copies atomic variables, which are no locks.
//
// want none
func counters() {
	type stats struct{ reads, writes atomic.Int64 }
	s := new(stats)
	s.reads.Add(1)
	t := *s
	fmt.Println(t.reads.Load())
}

// reusedMemory is new memory each time, where the garbage collector has freed other accounts.
//
// want none
func reusedMemory() {
	type account struct {
		mu      sync.Mutex
		balance int
	}
	sum := 0
	for i := range 5_000 {
		if i%500 == 0 {
			runtime.GC()
		}
		a := new(account)
		a.balance = i
		b := *a
		a.mu.Lock()
		sum += a.balance - b.balance
		a.mu.Unlock()
	}
	fmt.Println(sum)
}
