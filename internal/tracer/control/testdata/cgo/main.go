// Command cgo has a goroutine in C code, which halting cannot stop, and C threads that call
// into Go, which it can.
package main

/*
#include <pthread.h>
#include <unistd.h>

extern void called(void);

static volatile int turns;

static void work(void) { for (;;) { turns++; usleep(100); } }
static int count(void) { return turns; }

static void *call(void *p) { for (;;) called(); }

static void start(void) {
	pthread_t t;
	pthread_create(&t, 0, call, 0);
	pthread_create(&t, 0, call, 0);
}
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"time"
)

var (
	mu      sync.Mutex
	counter int
)

//export called
func called() {
	mu.Lock()
	counter++
	mu.Unlock()
}

func main() {
	go C.work()
	C.start()
	fmt.Println("ready")
	for os.Getppid() != 1 {
		time.Sleep(time.Second)
		C.count()
	}
}
