// A test double is asked with a matcher that panics, and checked at the end.
package main

import (
	"fmt"

	"github.com/stretchr/testify/mock"
)

type store struct{ mock.Mock }

func (s *store) get(key any) string { return s.Called(key).String(0) }

type reporter struct{}

func (reporter) Logf(string, ...any)   {}
func (reporter) Errorf(string, ...any) {}
func (reporter) FailNow()              {}

func main() {
	s := new(store)
	s.On("get", mock.MatchedBy(func(key *string) bool { return *key == "a" })).Return("1")
	defer func() { fmt.Println(recover() != nil) }()
	defer func() { fmt.Println("expectations:", s.AssertExpectations(reporter{})) }()
	fmt.Println(s.get((*string)(nil)))
}
