// A sampler works while its metrics are looked at.
package main

import (
	"fmt"
	"time"

	"github.com/honeycombio/dynsampler-go"
)

func main() {
	s := &dynsampler.WindowedThroughput{
		UpdateFrequencyDuration:   50 * time.Millisecond,
		LookbackFrequencyDuration: 100 * time.Millisecond,
	}
	if err := s.Start(); err != nil {
		panic(err)
	}
	for range 5 {
		fmt.Println("rate:", s.GetSampleRate("key"))
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Println(len(s.GetMetrics("sampler_")) > 0)
	s.Stop()
}
