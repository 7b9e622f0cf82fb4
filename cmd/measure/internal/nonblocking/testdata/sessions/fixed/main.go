// Command sessions keeps who is logged in.
package main

import (
	"fmt"
	"sync"
	"time"
)

// A Session is one login.
type Session struct {
	User     string
	LastSeen time.Time
	Requests int
}

// Store has the sessions by their token.
type Store struct {
	mu       sync.Mutex
	sessions map[string]*Session
}

// Login makes a session.
func (s *Store) Login(token, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[token] = &Session{User: user}
}

// Lookup returns the session of a token, nil if there is none.
// handle serves one request of a session.
func handle(s *Store, token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.sessions[token]
	if session == nil {
		return false
	}
	session.LastSeen = time.Now()
	session.Requests++
	return true
}

// Expire removes sessions that have not been seen for long.
func (s *Store) Expire(age time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for token, session := range s.sessions {
		if session.Requests > 0 && time.Since(session.LastSeen) > age {
			delete(s.sessions, token)
		}
	}
}

func main() {
	store := &Store{sessions: make(map[string]*Session)}
	store.Login("t1", "ann")
	store.Login("t2", "bob")
	var requests sync.WaitGroup
	for _, token := range []string{"t1", "t1", "t2"} {
		requests.Go(func() { handle(store, token) })
	}
	requests.Go(func() { store.Expire(time.Hour) })
	requests.Wait()
	fmt.Println(len(store.sessions), "sessions")
}
