package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

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
