// A stream is damaged on its way, and is read with four goroutines.
package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"

	"github.com/pierrec/lz4/v4"
)

func main() {
	data := make([]byte, 1<<19)
	rand.New(rand.NewSource(1)).Read(data)
	for i := range data {
		data[i] %= 8
	}
	var stream bytes.Buffer
	w := lz4.NewWriter(&stream)
	if err := w.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.BlockChecksumOption(true)); err != nil {
		panic(err)
	}
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	w.Close()
	damaged := stream.Bytes()
	damaged[len(damaged)/2] ^= 0xff
	r := lz4.NewReader(bytes.NewReader(damaged))
	if err := r.Apply(lz4.ConcurrencyOption(4)); err != nil {
		panic(err)
	}
	_, err := io.ReadAll(r)
	fmt.Println(err)
}
