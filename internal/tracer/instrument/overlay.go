package instrument

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/antichain-go/antichain/internal/cachedir"
	"github.com/antichain-go/antichain/internal/tracer/agent/agent"
	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
	"github.com/antichain-go/antichain/internal/tracer/instrument/gocommand"
	"github.com/antichain-go/antichain/internal/tracer/instrument/goroot"
	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// overlay collects replacements for go build -overlay.
type overlay struct {
	dir     string            // where the new contents are written
	replace map[string]string // absolute path -> path of the content, "" for a deleted file
}

// overlayJSON is the form that cmd/go reads.
type overlayJSON struct {
	Replace map[string]string
}

// overlayFlag is the value of the last -overlay flag.
func overlayFlag(flags []goFlag) string {
	file := ""
	for _, f := range flags {
		if f.name == "overlay" {
			file = f.value
		}
	}
	return file
}

// readUserOverlay reads an overlay file; "" is an empty one.
func readUserOverlay(dir, file string) (map[string]string, error) {
	replace := map[string]string{}
	if file == "" {
		return replace, nil
	}
	data, err := os.ReadFile(frontend.Absolute(dir, file))
	if err != nil {
		return nil, fmt.Errorf("-overlay: %w", err)
	}
	var o overlayJSON
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("-overlay %s: %w", file, err)
	}
	for from, to := range o.Replace {
		if to != "" {
			to = frontend.Absolute(dir, to)
		}
		replace[frontend.Absolute(dir, from)] = to
	}
	return replace, nil
}

// add replaces a file by content. The content's own name is made of its hash: an unchanged file has
// an unchanged name.
func (o *overlay) add(path string, content []byte) error {
	sum := sha256.Sum256(content)
	dir := filepath.Join(o.dir, "files", hex.EncodeToString(sum[:16]))
	to := filepath.Join(dir, filepath.Base(path))
	if err := cachedir.WriteFile(to, content); err != nil {
		return err
	}
	o.replace[path] = to
	return nil
}

// write writes the overlay itself and returns its path.
func (o *overlay) write() (string, error) {
	data, err := json.MarshalIndent(overlayJSON{o.replace}, "", "\t")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	path := filepath.Join(o.dir, "overlays", hex.EncodeToString(sum[:16])+".json")
	return path, cachedir.WriteFile(path, data)
}

var errLeftOut = errors.New("left out on request")

// addGoroot adds the hooks and patches of the standard library, tested with this toolchain. They
// are the same for all programs. Making so many files takes longer than building a small program,
// so they are kept.
func (o *overlay) addGoroot(ctx context.Context, c *Config, env *goEnv) (*goroot.Overlay, error) {
	opt := goroot.Options{Memory: c.Memory, Without: make(map[string]error)}
	for _, name := range c.Without {
		opt.Without[name] = errLeftOut
	}
	dir, err := c.cacheDir("goroot")
	if err != nil {
		return nil, err
	}
	cache := filepath.Dir(dir)
	toolchain := goroot.Toolchain{Go: c.Go, Env: c.Env, Environment: (*gocommand.Environment)(env)}
	lib, err := goroot.Prepare(ctx, toolchain, opt, dir, cache)
	if errors.As(err, new(*goroot.WriteError)) {
		return nil, &cachedir.UnusableError{Dir: cache, Err: err}
	}
	if err != nil {
		return nil, err
	}
	maps.Copy(o.replace, lib.Replace)
	return lib, nil
}

// addAgent adds the agent's package with a table.
func (o *overlay) addAgent(root, table string) error {
	dir := filepath.Join(root, "src", "antichain", "agent")
	entries, err := agent.Sources.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		src, err := agent.Sources.ReadFile(e.Name())
		if err != nil {
			return err
		}
		text, ok := strings.CutPrefix(string(src), agent.Constraint)
		if !ok {
			return fmt.Errorf("agent source %s does not begin with %q", e.Name(), agent.Constraint)
		}
		if err := o.add(filepath.Join(dir, e.Name()), []byte(text)); err != nil {
			return err
		}
	}
	layout, err := ring.HookConstants("agent", "ring")
	if err != nil {
		return err
	}
	if err := o.add(filepath.Join(dir, "layout.go"), []byte(layout)); err != nil {
		return err
	}
	return o.add(filepath.Join(dir, "table.go"), fmt.Appendf(nil, "package agent\n\nvar table = %q\n", table))
}
