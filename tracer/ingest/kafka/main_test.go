package kafka

import (
	"os"
	"testing"

	"github.com/antichain-go/antichain/internal/paralleltest"
)

func TestMain(m *testing.M) {
	paralleltest.PerProcessor(4)
	os.Exit(m.Run())
}
