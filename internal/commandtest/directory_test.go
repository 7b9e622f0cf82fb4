package commandtest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDirectory(t *testing.T) {
	var first, second string
	t.Run("of its own", func(t *testing.T) {
		first, second = Directory(t), Directory(t)
		if first == second {
			t.Errorf("%s serves two at once", first)
		}
		locked := filepath.Join(first, "below")
		if err := os.Mkdir(locked, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(locked, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(locked, 0o500); err != nil {
			t.Fatal(err)
		}
	})
	for _, dir := range []string{first, second} {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is left behind: %v", dir, err)
		}
	}
	t.Run("of its own", func(t *testing.T) { // another name
		if Directory(t) == first {
			t.Errorf("two tests have %s", first)
		}
	})
	unlock, err := lock(first + ".lock")
	if err != nil || unlock == nil {
		t.Fatalf("%s is still locked: %v", first, err)
	}
	unlock()
}
