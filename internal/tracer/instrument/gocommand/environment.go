package gocommand

import (
	"encoding/json"
	"fmt"
)

// Environment is the answer of go env in a directory. All variables are asked for at once: starting
// the command takes most of the time.
type Environment struct {
	GOROOT, GOVERSION, GOEXPERIMENT string
	GOOS, GOARCH                    string
	GOHOSTOS, GOHOSTARCH            string
	CGO_ENABLED, CC                 string
	GOFLAGS, GOMODCACHE, GOCACHE    string
}

// Ask asks a go command, which output runs with these arguments.
func Ask(output func(args ...string) ([]byte, error)) (*Environment, error) {
	out, err := output("env", "-json", "GOROOT", "GOVERSION", "GOEXPERIMENT", "GOOS", "GOARCH", "GOHOSTOS",
		"GOHOSTARCH", "CGO_ENABLED", "CC", "GOFLAGS", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return nil, err
	}
	e := new(Environment)
	if err := json.Unmarshal(out, e); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return e, nil
}
