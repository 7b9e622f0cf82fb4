//go:build !linux

package launch

import "errors"

// SharedMemory is what there is for the memory that a traced program shares with antichain.
type SharedMemory struct {
	Dir, FileSystem                     string
	Needed, Free, FileLimit, AddressMax int64
	Err                                 error
}

// InspectMemory says that there is none.
func InspectMemory() SharedMemory {
	return SharedMemory{Err: errors.New("tracing needs Linux; traces that were made there can be checked here")}
}
