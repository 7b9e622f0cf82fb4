// A program that looks at its environment and starts itself as a child, which should
// see and write nothing.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	_ "unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

func main() {
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "ANTICHAIN_") {
			fmt.Println("visible:", e)
		}
	}
	if env, err := os.ReadFile("/proc/self/environ"); err != nil || len(env) == 0 {
		fmt.Println("no environ:", err)
	} else if os.Getenv("KEPT") != "yes" || !bytes.Contains(env, []byte("KEPT=yes")) {
		fmt.Println("another variable was lost")
	}
	if len(os.Args) > 1 {
		emit(23, 0, 0, 0, nil)
		return
	}
	out, err := exec.Command("/proc/self/exe", "child").CombinedOutput()
	fmt.Printf("%s", out)
	if err != nil {
		fmt.Println("child:", err)
	}
}
