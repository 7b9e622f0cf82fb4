package prompt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var resume = &command{
	name: "resume", short: "let the program go on, with the same specification and history",
	do: func(d *dialogue, _ string, _ []string) error {
		d.decision = &Decision{Action: Resume}
		return nil
	},
}

var replace = &command{
	name: "replace", args: "FILE", short: "let it go on with the specification in FILE, and forget the history", least: 1, open: true,
	long: "FILE can name what the program was built to record, as table and check would of a trace; another\n" +
		"function or variable needs another build.",
	do: func(d *dialogue, rest string, _ []string) error {
		properties, err := d.Load(rest)
		if err != nil {
			return err
		}
		if len(properties) == 0 {
			return fmt.Errorf("%s has no property", rest)
		}
		d.decision = &Decision{Action: Replace, Properties: properties}
		return nil
	},
	complete: first(func(*dialogue) []string { return nil }), // see files
}

var detach = &command{
	name: "detach", short: "let the program go on, and watch it no more",
	do: func(d *dialogue, _ string, _ []string) error {
		d.decision = &Decision{Action: Detach}
		return nil
	},
}

var end = &command{
	name: "end", short: "end the program, and antichain",
	do: func(d *dialogue, _ string, _ []string) error {
		if d.confirmed("End the program?") {
			d.decision = &Decision{Action: End}
		}
		return nil
	},
}

// quit is what ctrl-D stands for.
var quit = &command{
	name: "quit", short: "end the program, or detach from one that others have started; so does ctrl-D",
	do: func(d *dialogue, _ string, _ []string) error {
		if d.Attached {
			return detach.do(d, "", nil)
		}
		return end.do(d, "", nil)
	},
}

// files are the files and directories whose names begin with prefix.
func files(prefix string) []string {
	dir, base := filepath.Split(prefix)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var names []string
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && base == ""
		if !strings.HasPrefix(e.Name(), base) || hidden {
			continue
		}
		name := dir + e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}
