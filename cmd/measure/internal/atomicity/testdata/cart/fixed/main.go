// Command cart sells what customers have put into a cart.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Cart has the prices of things.
type Cart struct {
	mu     sync.Mutex
	prices []int
}

func (c *Cart) put(price int) {
	c.prices = append(c.prices, price)
}

// Add puts a thing into the cart.
func (c *Cart) Add(price int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(price)
}

func (c *Cart) total() (sum int) {
	for _, p := range c.prices {
		sum += p
	}
	return sum
}

func (c *Cart) clear() {
	c.prices = nil
}

// pay takes the money.
func pay(amount int) int {
	fmt.Println("paid:", amount)
	return amount
}

// Checkout sells what is in the cart.
func (c *Cart) Checkout() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	paid := pay(c.total())
	c.clear()
	return paid
}

func main() {
	var c Cart
	c.Add(10)
	paid := make([]int, 2)
	var windows sync.WaitGroup
	windows.Go(func() { paid[0] = c.Checkout() })
	windows.Go(func() {
		time.Sleep(40 * time.Millisecond)
		c.Add(5)
		time.Sleep(40 * time.Millisecond)
		paid[1] = c.Checkout()
	})
	windows.Wait()
	if paid[0]+paid[1] != 15 {
		fmt.Println("something was not paid")
		os.Exit(1)
	}
}
