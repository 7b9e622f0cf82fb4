// Package strictyaml reads YAML files that people write, and reports mistakes with their lines.
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"go.yaml.in/yaml/v3"
)

// Decode decodes the only document of a text. A key without a field in into is a mistake. An empty
// text does not change into.
func Decode(text []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	switch err := decoder.Decode(into); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return plain(err)
	}
	if err := decoder.Decode(new(yaml.Node)); err == nil {
		return errors.New("there is more than one document: leave out what stands behind \"---\"")
	} else if !errors.Is(err, io.EOF) {
		return plain(err)
	}
	return nil
}

// plain turns an error about the program into one about the file.
func plain(err error) error {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	texts := make([]string, len(types.Errors))
	for i, text := range types.Errors {
		text = unknownField.ReplaceAllString(text, `there is no key "$1"`)
		text = wrongType.ReplaceAllStringFunc(text, func(string) string { return "" })
		texts[i] = tag.ReplaceAllString(text, "$1")
	}
	return fmt.Errorf("%s", strings.Join(texts, "; "))
}

var (
	unknownField = regexp.MustCompile(`field (.*) not found in type \S+`)
	wrongType    = regexp.MustCompile(` into \S+$`)
	tag          = regexp.MustCompile(`!!(\w+)`)
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
	text, err := limits.ReadFile(path, maxFile)
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	}
	return text, err
}
