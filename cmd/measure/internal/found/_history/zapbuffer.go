// What is logged is buffered, and the buffer is flushed at the end.
package main

import (
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

func main() {
	buffer := &zapcore.BufferedWriteSyncer{WS: zapcore.AddSync(io.Discard), FlushInterval: 20 * time.Millisecond}
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), buffer, zap.InfoLevel)
	logger := zap.New(core)
	logger.Info("started")
	time.Sleep(50 * time.Millisecond)
	logger.Info("ready")
	if err := buffer.Stop(); err != nil {
		panic(err)
	}
}
