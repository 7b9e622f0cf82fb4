package helper

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/rewrite"
	"github.com/antichain-go/antichain/internal/tracer/site"
)

//go:embed program/main.go
var program embed.FS

// module is the path of this module. The copy has the same, which keeps import paths.
const module = "github.com/antichain-go/antichain"

// mainDir is the directory of the main package in the copy.
const mainDir = "internal/tracer/instrument/helper/program"

// sources are the packages that the helper consists of, by their directories in the module.
func sources() map[string]fs.FS {
	main, err := fs.Sub(program, "program")
	if err != nil {
		panic(err) // the name is valid
	}
	return map[string]fs.FS{
		mainDir:                               main,
		"internal/tracer/instrument/frontend": frontend.Sources,
		"internal/tracer/instrument/rewrite":  rewrite.Sources,
		"internal/tracer/site":                site.Sources,
	}
}

// moduleFiles returns the contents, by path, of the files of the helper's module, except go.mod.
func moduleFiles(packages map[string]fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	for dir, sources := range packages {
		entries, err := fs.ReadDir(sources, ".")
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			content, err := fs.ReadFile(sources, e.Name())
			if err != nil {
				return nil, err
			}
			files[path.Join(dir, e.Name())] = content
		}
	}
	return files, nil
}

// goMod is the go.mod of the copy. It has the toolchain's own version of the language, which
// selects the toolchain's GODEBUG settings of the parser and type checker.
func goMod(version string) []byte {
	return fmt.Appendf(nil, "module %s\n\ngo %s\n", module, languageOf(version))
}

// addFiles makes files part of a hash.
func addFiles(h hash.Hash, files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(files[name]))
	}
}

// writeFiles writes files below a directory.
func writeFiles(dir string, files map[string][]byte) error {
	for name, content := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
