//go:build unix

package cachedir

import (
	"os"
	"syscall"
)

// ownedByUser reports whether no other user can write to a directory.
func ownedByUser(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid() && info.Mode().Perm()&0o022 == 0
}
