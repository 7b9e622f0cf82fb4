package instrument

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what was recorded into testdata/constructs; review the diff")

func updateWant(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata/constructs", name+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		if archive.Files[i].Name == "want" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
