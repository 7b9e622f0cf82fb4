// A hook is added while another goroutine logs.
package main

import (
	"io"
	"sync"

	"github.com/sirupsen/logrus"
)

type hook struct{}

func (hook) Levels() []logrus.Level   { return logrus.AllLevels }
func (hook) Fire(*logrus.Entry) error { return nil }

func main() {
	l := logrus.New()
	l.SetOutput(io.Discard)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l.WithField("a", 1).Info("x")
	}()
	l.AddHook(hook{})
	l.Info("y")
	wg.Wait()
}
