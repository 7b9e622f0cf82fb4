package instrument

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// A build replaces files of the toolchain and adds a package to its standard library, all by an
// overlay. Two kinds of toolchain do not support that in their own place, and are used by another
// path. The path is the same as long as the user has a cache: with a new one go would compile the
// standard library once more.

// relocate makes c run the toolchain by another path if that is needed. It returns what go env says
// then.
func (c *Config) relocate(env *goEnv) (*goEnv, error) {
	if env.GOMODCACHE == "" {
		c.useNoModules()
	}
	inCache := env.GOMODCACHE != "" && frontend.Below(env.GOROOT, env.GOMODCACHE)
	seesOverlay, err := seesAddedPackages(env.GOROOT)
	if err != nil {
		return nil, err
	}
	if !inCache && seesOverlay {
		c.pin(env.GOROOT)
		return env, nil
	}
	path := linkTo // a downloaded toolchain lies in the module cache, where no file may be replaced
	if !seesOverlay {
		path = treeOf
	}
	dir, err := c.cacheDir("toolchains")
	if err != nil {
		return nil, err
	}
	to, err := path(env.GOROOT, dir)
	if err != nil {
		return nil, &cachedir.UnusableError{Dir: filepath.Dir(dir), Err: err}
	}
	c.useToolchain(to)
	moved := *env
	moved.GOROOT = to
	return &moved, nil
}

// pin makes c run the go command of root if the go command in PATH has switched to root. In another
// directory, such as that of the self-test, it might not switch.
func (c *Config) pin(root string) {
	named, err := exec.LookPath(c.goCommand())
	if err != nil {
		return
	}
	own, err1 := filepath.EvalSymlinks(named)
	there, err2 := filepath.EvalSymlinks(filepath.Join(root, "bin", "go"))
	if err1 == nil && err2 == nil && own != there {
		c.useToolchain(root)
	}
}

// useToolchain makes c run the toolchain at root.
func (c *Config) useToolchain(root string) {
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Go = filepath.Join(root, "bin", "go")
	c.Env = append(slices.Clip(c.Env), "GOROOT="+root, "GOTOOLCHAIN=local")
}

// seesAddedPackages reports whether the go command recognises a package in the standard library
// that only an overlay has. Go 1.26.0 and some later releases look for the directory itself.
func seesAddedPackages(root string) (bool, error) {
	text, err := os.ReadFile(filepath.Join(root, "src", "internal", "goroot", "gc.go"))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // a later one that does it elsewhere
	}
	return !bytes.Contains(text, []byte("os.ReadDir(")), err
}

// linkTo returns a symbolic link to root in dir.
func linkTo(root, dir string) (string, error) {
	link := filepath.Join(dir, nameFor(root))
	return link, linkAs(link, root)
}

// linkAs makes a symbolic link, unless it is there.
func linkAs(link, to string) error {
	if err := os.Symlink(to, link); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if there, err := os.Readlink(link); err != nil || there != to {
		return fmt.Errorf("%s should be a link to %s and is not: remove it", link, to)
	}
	return nil
}

// treeOf returns a directory in dir that is root with one more package, the agent, whose only
// content is its package clause. All its other entries are links.
func treeOf(root, dir string) (string, error) {
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return "", err
	}
	// another release may later be at the same root
	tree := filepath.Join(dir, nameFor(root+" "+string(version)))
	src := filepath.Join(tree, "src")
	agent := filepath.Join(src, "antichain", "agent")
	if err := os.MkdirAll(agent, 0o700); err != nil {
		return "", err
	}
	if err := cachedir.WriteFile(filepath.Join(agent, "zz_package.go"), []byte("package agent\n")); err != nil {
		return "", err
	}
	for from, to := range map[string]string{root: tree, filepath.Join(root, "src"): src} {
		entries, err := os.ReadDir(from)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if to == tree && e.Name() == "src" {
				continue
			}
			if err := linkAs(filepath.Join(to, e.Name()), filepath.Join(from, e.Name())); err != nil {
				return "", err
			}
		}
	}
	return tree, nil
}

// nameFor is a name for the substitute of a toolchain.
func nameFor(toolchain string) string {
	sum := sha256.Sum256([]byte(toolchain))
	return hex.EncodeToString(sum[:8])
}
