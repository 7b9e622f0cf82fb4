// Command prices caches prices from a slow table, and forgets those that change.
//
// Bug: a price that was read before a change is put into the cache after it, and stays there.
// A report has to name property no_fill_while_changing.
package main

import (
	"fmt"
	"sync"
)

// Table is the truth.
type Table struct {
	mu     sync.Mutex
	prices map[string]int
}

func (t *Table) get(item string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.prices[item]
}

func (t *Table) set(item string, price int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prices[item] = price
}

// Cache is a copy of what was read.
type Cache struct {
	table *Table
	known sync.Map
}

// fill copies a price from the table.
func (c *Cache) fill(item string) int {
	price := c.table.get(item)
	c.known.Store(item, price)
	return price
}

// change changes a price, and forgets the old one.
func (c *Cache) change(item string, price int) {
	c.table.set(item, price)
	c.known.Delete(item)
}

// Price returns the price of an item.
func (c *Cache) Price(item string) int {
	if price, ok := c.known.Load(item); ok {
		return price.(int)
	}
	return c.fill(item)
}

// SetPrice changes the price of an item.
func (c *Cache) SetPrice(item string, price int) {
	c.change(item, price)
}

func main() {
	cache := &Cache{table: &Table{prices: map[string]int{"tea": 3}}}
	var wg sync.WaitGroup
	wg.Go(func() { cache.Price("tea") })
	wg.Go(func() { cache.SetPrice("tea", 4) })
	wg.Wait()
	fmt.Println("tea costs at least:", min(3, cache.Price("tea")))
}
