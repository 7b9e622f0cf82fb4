//go:build unix

package faults

import (
	"os"
	"os/signal"
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
	// A job in the background ignores interrupts, and so would the monitors that tests interrupt.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
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
