// Command flags keeps the features of a device as bits, which drivers set as they come up.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Guarded is a value with its lock.
type Guarded[T any] struct {
	mu    sync.Mutex
	value T
}

// Change replaces the value by what f makes of it.
func (g *Guarded[T]) Change(f func(T) T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value = f(g.value)
}

// Device has features.
type Device struct{ features Guarded[uint] }

// with adds a feature to others.
func with(features, feature uint) uint { return features | feature }

// Enable adds a feature.
func (d *Device) Enable(feature uint) {
	d.features.Change(func(old uint) uint { return with(old, feature) })
}

func main() {
	var d Device
	var drivers sync.WaitGroup
	for i := range 5 {
		drivers.Go(func() {
			time.Sleep(time.Duration(i) * 25 * time.Millisecond)
			d.Enable(1 << i)
		})
	}
	drivers.Wait()
	fmt.Printf("%b\n", d.features.value)
	if d.features.value != 31 {
		os.Exit(1)
	}
}
