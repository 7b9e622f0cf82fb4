package terminal

import "os"

// Here is the directory in which the user stands, "" if nobody knows.
func Here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
