package launch

import (
	"fmt"
	"math"

	"golang.org/x/sys/unix"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// SharedMemory describes the memory that a traced program can share with antichain.
type SharedMemory struct {
	Dir        string // where it is made
	FileSystem string // its kind
	Needed     int64  // bytes for one program
	Free       int64  // bytes of the file system that are free
	FileLimit  int64  // bytes that a file may have (ulimit -f), math.MaxInt64 for no limit
	AddressMax int64  // bytes that a process may map (ulimit -v), math.MaxInt64 for no limit
	Err        error  // why it is not available; nil if it is
}

// fileSystems are the names of the usual kinds.
var fileSystems = map[int64]string{
	unix.TMPFS_MAGIC: "tmpfs", unix.EXT4_SUPER_MAGIC: "ext4", unix.XFS_SUPER_MAGIC: "xfs",
	unix.BTRFS_SUPER_MAGIC:     "btrfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlayfs", unix.NFS_SUPER_MAGIC: "nfs", unix.RAMFS_MAGIC: "ramfs",
}

// InspectMemory makes the shared memory of a program, and removes it.
func InspectMemory() SharedMemory {
	m := SharedMemory{Needed: ring.DefaultSize, FileLimit: limit(unix.RLIMIT_FSIZE), AddressMax: limit(unix.RLIMIT_AS)}
	d, err := newPrivateDir(true)
	if err != nil {
		m.Err = err
		return m
	}
	defer d.remove()
	m.Dir = d.base()
	var st unix.Statfs_t
	if err := unix.Statfs(d.path, &st); err == nil {
		m.Free = int64(st.Bavail) * st.Bsize
		if m.FileSystem = fileSystems[int64(st.Type)]; m.FileSystem == "" {
			m.FileSystem = fmt.Sprintf("file system %#x", st.Type)
		}
	}
	r, err := ring.Create(d.path, ring.Options{})
	if err != nil {
		m.Err = err
		return m
	}
	m.Err = r.Close()
	return m
}

func limit(resource int) int64 {
	var l unix.Rlimit
	if err := unix.Getrlimit(resource, &l); err != nil || l.Cur > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(l.Cur)
}
