package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// readsFile are the flags whose FILE is read, not written.
var readsFile = map[string]bool{
	"baseline": true, "file": true, "kafka-ca": true, "kafka-cert": true, "kafka-key": true, "kafka-password-file": true,
	"mapping": true, "model": true, "replay": true, "script": true, "spec": true,
}

// No verb takes - for the name of a file that it writes. convert writes to standard output.
func TestDashIsNoFile(t *testing.T) {
	written := map[string]int{}
	eachFlag(newRoot(terminal.Streams{}), func(verb *cobra.Command, f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		prefix := ""
		switch {
		case verb.Name() == "convert" || readsFile[f.Name]:
			return
		case value == "FORMAT=FILE":
			prefix = "html="
		case value != "FILE" && f.Name != "output":
			return
		}
		written[f.Name]++
		if err := f.Value.Set(prefix + "-"); err == nil || !strings.Contains(err.Error(), "standard output") {
			t.Errorf("%s --%s %s-: %v", verb.CommandPath(), f.Name, prefix, err)
		}
		if err := f.Value.Set(prefix + "./-"); err != nil {
			t.Errorf("%s --%s %s./-: %v", verb.CommandPath(), f.Name, prefix, err)
		}
	})
	for _, name := range []string{"output", "report", "write-baseline"} {
		if written[name] < 3 {
			t.Errorf("%d verbs write the file of --%s", written[name], name)
		}
	}
}

// eachFlag calls f with all flags of all verbs.
func eachFlag(verb *cobra.Command, f func(*cobra.Command, *pflag.Flag)) {
	verb.Flags().VisitAll(func(flag *pflag.Flag) { f(verb, flag) })
	for _, below := range verb.Commands() {
		eachFlag(below, f)
	}
}

// To convert, - is standard output, as it is without -o.
func TestConvertToDash(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("run.jsonl", []byte("{\"antichain\":1,\"tasks\":[\"a\"]}\n{\"t\":\"a\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var outputs [2]strings.Builder
	for i, args := range [][]string{{"convert", "--to", "text", "run.jsonl"}, {"convert", "--to", "text", "-o", "-", "run.jsonl"}} {
		var stderr strings.Builder
		if code := mainerr(args, terminal.Streams{Out: &outputs[i], Err: &stderr}); code != exit.Holds {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
	}
	if outputs[0].String() != outputs[1].String() || !strings.Contains(outputs[1].String(), `"t":"a"`) {
		t.Errorf("standard output with -o -: %q, without %q", outputs[1].String(), outputs[0].String())
	}
	if _, err := os.Stat(filepath.Join(dir, "-")); err == nil {
		t.Error("a file is called -")
	}
}
