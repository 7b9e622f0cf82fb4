// Command signup lets people choose a name that nobody else has.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sync"
	"time"
)

// Users has the hashed passwords by name.
type Users struct {
	mu       sync.RWMutex
	byName   map[string][32]byte
	replaced int
}

// insert adds a user. It needs the lock.
func (u *Users) insert(name string, hash [32]byte) {
	if _, ok := u.byName[name]; ok {
		u.replaced++
	}
	u.byName[name] = hash
}

func hashed(password string) [32]byte {
	return sha256.Sum256([]byte(password))
}

// SignUp adds a user if the name is free.
func (u *Users) SignUp(name, password string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ok := u.byName[name]; ok {
		return false
	}
	u.insert(name, hashed(password))
	return true
}

// Remove deletes a user.
func (u *Users) Remove(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.byName, name)
}

func main() {
	u := &Users{byName: make(map[string][32]byte)}
	var wg sync.WaitGroup
	wg.Go(func() {
		u.SignUp("ann", "secret")
		u.Remove("ann")
	})
	wg.Go(func() {
		time.Sleep(50 * time.Millisecond)
		u.SignUp("ann", "hidden")
	})
	wg.Wait()
	if u.replaced > 0 {
		fmt.Println("a user was replaced")
		os.Exit(1)
	}
}
