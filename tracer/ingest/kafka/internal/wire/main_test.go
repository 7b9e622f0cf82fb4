package wire

import (
	"os"
	"testing"

	"github.com/antichain-go/antichain/internal/paralleltest"
)

func TestMain(m *testing.M) {
	paralleltest.PerProcessor(8) // most of them wait for brokers that do not answer
	os.Exit(m.Run())
}
