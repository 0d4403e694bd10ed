package setting

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

// TestRanges: what an ipBlock allows, as ranges and as the fewest of them, is each address of its
// range that no exception has.
func TestRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	prefix := func() netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(random.IntN(256))}), 24+random.IntN(9)).Masked()
	}
	holds := func(list []netip.Prefix, addr netip.Addr) bool {
		return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	for range 2000 {
		cidr, texts := prefix(), []any{}
		var except []netip.Prefix
		for range random.IntN(4) {
			p := prefix()
			except, texts = append(except, p), append(texts, p.String())
		}
		left := block(map[string]any{"cidr": cidr.String(), "except": texts})
		least := fewest(slices.Clone(left))
		if len(least) > len(left) {
			t.Fatalf("%v except %v: %v are more than %v", cidr, except, least, left)
		}
		for i := range 256 {
			addr := netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})
			if want := cidr.Contains(addr) && !holds(except, addr); holds(left, addr) != want || holds(least, addr) != want {
				t.Fatalf("%v except %v: %v has %v, and %v: not %v", cidr, except, addr, fmt.Sprint(left), least, want)
			}
		}
	}
}
