// Command scoreboard keeps the best score of a game.
//
// Bug: a score is compared with the best one in one critical section and stored in another. A lower score can be stored last.
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

// beats says whether a score is better than the best one.
func (b *board) beats(score int) bool {
	b.Lock()
	defer b.Unlock()
	return score > b.best
}

// congratulate greets a player, and shows the score to all.
func congratulate(player string, score int) {
	fmt.Println("a new record:", player, score)
}

// submit is called when a game is over.
func submit(player string, score int) {
	if !scores.beats(score) {
		return
	}
	congratulate(player, score)
	scores.Lock()
	scores.best, scores.player = score, player
	scores.Unlock()
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
