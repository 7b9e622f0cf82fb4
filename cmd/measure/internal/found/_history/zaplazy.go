// Two goroutines use a logger with lazy fields.
package main

import (
	"io"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func main() {
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	core := zapcore.NewCore(encoder, zapcore.AddSync(io.Discard), zap.InfoLevel)
	logger := zap.New(core).WithLazy(zap.String("module", "web"))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		logger.Info("started")
	}()
	logger.Info("ready")
	wg.Wait()
}
