// A stream is damaged on its way, and is read with two goroutines.
package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"

	"github.com/klauspost/compress/s2"
)

func main() {
	data := make([]byte, 1<<18)
	rand.New(rand.NewSource(1)).Read(data)
	for i := range data {
		data[i] %= 8
	}
	var stream bytes.Buffer
	w := s2.NewWriter(&stream, s2.WriterBlockSize(8<<10))
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	w.Close()
	damaged := stream.Bytes()
	damaged[len(damaged)/2] ^= 0xff
	n, err := s2.NewReader(bytes.NewReader(damaged)).DecodeConcurrent(io.Discard, 2)
	fmt.Println(n < int64(len(data)), err)
}
