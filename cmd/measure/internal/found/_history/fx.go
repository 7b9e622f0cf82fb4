// A service stops when it gets a signal.
package main

import (
	"context"
	"fmt"
	"syscall"

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
	fmt.Println((<-app.Wait()).Signal)
	fmt.Println("stopped:", app.Stop(ctx))
}
