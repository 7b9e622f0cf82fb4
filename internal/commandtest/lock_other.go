//go:build !unix

package commandtest

import (
	"errors"
	"io/fs"
	"os"
)

// lock makes a file until unlock is called; unlock is nil if it is there.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return func() { f.Close(); os.Remove(path) }, nil
}
