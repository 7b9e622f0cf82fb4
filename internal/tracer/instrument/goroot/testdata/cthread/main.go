// A program in which threads that C created call into Go, twice each.
package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>

extern void callback(long);

static void *thread(void *arg) {
	callback((long)arg);
	callback((long)arg);
	return NULL;
}

static void run(long n) {
	pthread_t t;
	pthread_create(&t, NULL, thread, (void *)n);
	pthread_join(t, NULL);
}
*/
import "C"

import (
	"sync"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

var (
	mu     sync.Mutex
	shared int
	calls  int
)

//export callback
func callback(n C.long) {
	emit(23, uint64(uintptr(unsafe.Pointer(&shared))), 1, uint64(n), nil) // C calls one after the other
	mu.Lock()
	calls++
	mu.Unlock()
	done := make(chan bool)
	go func() { close(done) }()
	<-done
}

func main() {
	for n := range 3 {
		C.run(C.long(n + 1))
	}
	if calls != 6 {
		panic(calls)
	}
}
