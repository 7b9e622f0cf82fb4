// A helper is called with a suite that does not run yet.
package main

import (
	"fmt"

	"github.com/stretchr/testify/suite"
)

func main() {
	s := new(suite.Suite)
	defer func() { fmt.Println(recover() != nil) }()
	fmt.Println(s.Require() != nil)
}
