// The lock of the device is taken before that of all, and only so.
package main

import (
	"sync"
	"time"
)

type devices struct {
	sync.Mutex
	infos map[string]*info
}

type info struct {
	sync.Mutex
	deleted int
}

func (d *devices) remove(name string) {
	d.Lock()
	i := d.infos[name]
	d.Unlock()
	i.Lock()
	defer i.Unlock()
	d.Lock()
	i.deleted++
	d.Unlock()
	time.Sleep(300 * time.Nanosecond)
	d.Lock()
	i.deleted++
	d.Unlock()
}

func main() {
	d := &devices{infos: map[string]*info{"a": {}, "b": {}}}
	go d.remove("a")
	go d.remove("a")
	time.Sleep(100 * time.Millisecond)
}
