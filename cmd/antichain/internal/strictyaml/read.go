package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile limits the bytes of a file.
const maxFile = 16 << 20

// Read returns the content of a regular file. It fails for other files, and for large ones.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is not a plain file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	}
	return text, err
}
