package main

import "sync"

// items is what the server serves.
var (
	mutex sync.RWMutex
	items = map[string]string{}
)

// get and put are the handlers that the specification names.
func get(key string) (value string, ok bool) {
	mutex.RLock()
	defer mutex.RUnlock()
	value, ok = items[key]
	return value, ok
}

func put(key, value string) {
	mutex.Lock()
	defer mutex.Unlock()
	store(key, value)
}

func store(key, value string) { items[key] = value }
