// Command profile lets several devices of a user change his profile.
//
// Bug: Update reads a copy of the profile, changes it and puts it back. A change that another device made between is undone.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Profile is what is known about a user.
type Profile struct{ Name, Mail, City string }

// Store has the profiles by the user.
type Store struct {
	mu       sync.RWMutex
	profiles map[int]Profile
}

// Get returns a profile.
func (s *Store) Get(user int) Profile {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.profiles[user]
}

// Put stores a profile.
func (s *Store) Put(user int, p Profile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profiles[user] = p
}

// edit changes one field.
func edit(p *Profile, field, value string) {
	switch field {
	case "mail":
		p.Mail = value
	case "city":
		p.City = value
	}
}

// Update changes one field of a user.
func (s *Store) Update(user int, field, value string) {
	p := s.Get(user)
	edit(&p, field, value)
	s.Put(user, p)
}

func main() {
	s := &Store{profiles: map[int]Profile{7: {Name: "Ann"}}}
	var devices sync.WaitGroup
	devices.Add(2)
	go func() {
		defer devices.Done()
		s.Update(7, "mail", "ann@example.org")
	}()
	go func() {
		defer devices.Done()
		time.Sleep(60 * time.Millisecond)
		s.Update(7, "city", "Berlin")
	}()
	devices.Wait()
	p := s.profiles[7]
	fmt.Println(p)
	if p.Mail == "" || p.City == "" {
		os.Exit(1)
	}
}
