package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/antichain-go/antichain/internal/cachedir"
)

// TestDevcontainer: the container for development installs this module, and keeps the caches in a
// volume.
func TestDevcontainer(t *testing.T) {
	text, err := os.ReadFile("../../deploy/devcontainer.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Image             string
		Mounts            []string
		ContainerEnv      map[string]string
		PostCreateCommand string
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	const install = "go install github.com/antichain-go/antichain/cmd/antichain@"
	if !strings.HasPrefix(c.Image, "golang:") || !strings.Contains(c.PostCreateCommand, install) {
		t.Errorf("%q, %q", c.Image, c.PostCreateCommand)
	}
	if len(c.Mounts) != 1 || !strings.Contains(c.Mounts[0], "target=/cache,") {
		t.Errorf("the mounts are %q", c.Mounts)
	}
	for _, cache := range []string{cachedir.Variable, "GOCACHE"} {
		if !strings.HasPrefix(c.ContainerEnv[cache], "/cache/") {
			t.Errorf("%s is %q", cache, c.ContainerEnv[cache])
		}
	}
}

// TestDeployedFlags: monitors of the files in deploy have flags that there are.
func TestDeployedFlags(t *testing.T) {
	flags := newMonitor(terminal.Streams{}).Flags()
	word := regexp.MustCompile(`--([a-z-]+)`)
	for file, line := range map[string]string{
		"antichain-monitor.service": `(?m)^ExecStart=.*`, "compose.yaml": `(?m)^ *command: \[monitor.*`,
	} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		command := regexp.MustCompile(line).FindString(string(text))
		named := word.FindAllStringSubmatch(command, -1)
		for _, flag := range named {
			if flags.Lookup(flag[1]) == nil {
				t.Errorf("%s has --%s", file, flag[1])
			}
		}
		if len(named) < 4 {
			t.Errorf("%s: %q", file, command)
		}
	}
}
