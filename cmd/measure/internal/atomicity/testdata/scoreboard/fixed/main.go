// Command scoreboard keeps the best score of a game.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

type board struct {
	sync.Mutex
	best   int
	player string
}

var scores board

// congratulate greets a player, and shows the score to all.
func congratulate(player string, score int) {
	fmt.Println("a new record:", player, score)
}

// submit is called when a game is over.
func submit(player string, score int) {
	scores.Lock()
	defer scores.Unlock()
	if score <= scores.best {
		return
	}
	congratulate(player, score)
	scores.best, scores.player = score, player
}

func main() {
	var games sync.WaitGroup
	for i, player := range []string{"ann", "bob", "eve"} {
		games.Go(func() {
			time.Sleep(time.Duration(i) * 40 * time.Millisecond)
			submit(player, 100+10*i)
		})
	}
	games.Wait()
	if scores.best != 120 {
		fmt.Println("the best is lost")
		os.Exit(1)
	}
}
