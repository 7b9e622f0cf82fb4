//go:build !linux

package launch

import "errors"

// SharedMemory describes the memory that a traced program can share with antichain.
type SharedMemory struct {
	Dir, FileSystem                     string
	Needed, Free, FileLimit, AddressMax int64
	Err                                 error
}

// InspectMemory reports that there is none.
func InspectMemory() SharedMemory {
	return SharedMemory{Err: errors.New("tracing needs Linux; traces that were made there can be checked here")}
}
