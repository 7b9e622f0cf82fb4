// Package cachedir keeps files for later runs in directories that only the user can write to.
// Several processes may use one at the same time.
//
//	if err := cachedir.Private(dir); err == nil {
//		err = cachedir.WriteFile(filepath.Join(dir, name), content)
//	}
package cachedir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// oldAge is the age at which unused files are removed.
const oldAge = 60 * 24 * time.Hour

// Private makes a directory for the user alone, or checks that it is one. Other users with write
// access could decide the content of later builds.
func Private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByUser(info) {
		return fmt.Errorf("%s is not a directory that only you can write to: remove it, or take the rights of others away with chmod go-w", dir)
	}
	return nil
}

// WriteFile writes a file atomically. It does not touch a file that already has the content.
func WriteFile(path string, content []byte) error {
	if Has(path, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Has reports whether a file has this content.
func Has(path string, content []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false
	}
	old, err := os.ReadFile(path)
	return err == nil && bytes.Equal(old, content)
}

// Use marks files or directories as used, which keeps RemoveOld from removing them. It does so once
// a day.
func Use(paths ...string) {
	now := time.Now()
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
			// on failure the file is only made again some day
			_ = os.Chtimes(path, now, now)
		}
	}
}

// RemoveOld removes files from a directory that have not been used for 60 days: files of earlier
// versions of this program, of former toolchains, and of killed processes.
func RemoveOld(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) > oldAge {
			// a file that cannot be removed does no harm
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// KeepNewest removes the oldest files in a directory until the remaining files have at most this
// size together. The newest file stays, however large it is.
func KeepNewest(dir string, size int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for i, file := range files {
		if size -= file.Size(); size < 0 && i > 0 {
			_ = os.Remove(filepath.Join(dir, file.Name()))
		}
	}
}
