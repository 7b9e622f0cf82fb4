//go:build unix

package faults

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/antichain-go/antichain/internal/commandtest"
	"github.com/antichain-go/antichain/internal/paralleltest"
)

// directory is where antichain is built.
var directory string

func TestMain(m *testing.M) {
	paralleltest.PerProcessor(2)
	commandtest.TakeInterrupts()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if directory, err = os.MkdirTemp("", "faults"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(directory)
	return m.Run()
}

// built is the antichain that tests run.
var built = sync.OnceValues(func() (string, error) {
	return filepath.Join(directory, "antichain"), commandtest.Build(directory)
})
