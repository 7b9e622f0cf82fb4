//go:build !linux

package ring

import (
	"errors"
	"os"
	"time"
)

const noFollow = 0

func randomName() string { return "ring" }

var errUnsupported = errors.New("tracing needs Linux; traces that were made there can be checked here")

func allocate(*os.File, int64) error        { return errUnsupported }
func mapFile(*os.File, int) ([]byte, error) { return nil, errUnsupported }
func mapMemory(int) ([]byte, error)         { return nil, errUnsupported }
func unmap([]byte) error                    { return errUnsupported }
func releaseMemory([]byte)                  {}
func openSpill([]string) (spillFile, error) { return nil, errUnsupported }

func sleepFutex(_ *uint32, _ uint32, most time.Duration) { time.Sleep(most) }
func wakeFutex(*uint32)                                  {}
func nap(d time.Duration)                                { time.Sleep(d) }
