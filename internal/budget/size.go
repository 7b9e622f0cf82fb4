package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are the first letters of the powers of 1024.
const units = "KMGT"

// Parse reads a number of bytes with a unit: 512M, 512MB and 512MiB are all 512·1024² bytes, and
// fractions such as 1.5G are possible. A number without a unit is in bytes.
func Parse(text string) (int64, error) {
	number, power := text, 0
	if i := strings.IndexAny(strings.ToUpper(text), units+"B"); i >= 0 {
		unit := strings.ToUpper(text[i:])
		number = text[:i]
		if power = 1 + strings.IndexByte(units, unit[0]); power > 0 {
			unit = strings.TrimPrefix(unit[1:], "I")
		}
		if unit != "" && unit != "B" {
			return 0, wrongSize(text)
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	bytes := n * math.Pow(1024, float64(power))
	if err != nil || !(bytes >= 0 && bytes < math.MaxInt64) { // excludes NaN, too
		return 0, wrongSize(text)
	}
	return int64(bytes), nil
}

func wrongSize(text string) error {
	return fmt.Errorf("%q is not a size: write for example 512M or 2GiB, 0 for no limit", text)
}

// Format writes a number of bytes with the largest unit that shows it exactly.
func Format(bytes int64) string {
	for i := len(units); i > 0; i-- {
		if size := int64(1) << (10 * i); bytes >= size && bytes%size == 0 {
			return fmt.Sprintf("%d %ciB", bytes/size, units[i-1])
		}
	}
	return fmt.Sprintf("%d B", bytes)
}
