// A service stops by itself at the moment at which it gets a signal.
package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"go.uber.org/fx"
)

func main() {
	app := fx.New(fx.NopLogger)
	ctx := context.Background()
	if err := app.Start(ctx); err != nil {
		panic(err)
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		panic(err)
	}
	time.Sleep(20 * time.Millisecond)
	fmt.Println("stopped:", app.Stop(ctx))
}
