// Command orders stores orders and tells the warehouse of them.
package main

import (
	"fmt"
	"sync"
)

// Orders are stored by number.
type Orders struct {
	mu     sync.Mutex
	byID   map[int]string
	placed chan int
}

// commit stores an order.
func (o *Orders) commit(id int, item string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byID[id] = item
}

// find returns the item of an order.
func (o *Orders) find(id int) (string, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	item, ok := o.byID[id]
	return item, ok
}

// Place places an order.
func (o *Orders) Place(id int, item string) {
	o.commit(id, item)
	o.placed <- id
}

// warehouse packs what was ordered.
func warehouse(o *Orders, packed chan<- bool) {
	id := <-o.placed
	packed <- pack(o, id)
}

// pack looks up an order and packs it.
func pack(o *Orders, id int) bool {
	_, ok := o.find(id)
	return ok
}

func main() {
	o := &Orders{byID: make(map[int]string), placed: make(chan int, 1)}
	packed := make(chan bool)
	go warehouse(o, packed)
	o.Place(7, "teapot")
	<-packed
	_, stored := o.find(7)
	fmt.Println("stored:", stored)
}
