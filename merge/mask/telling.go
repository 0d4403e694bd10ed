package mask

import (
	"strings"
	"threeway/merge/token"
)

// distinctive reports whether a value is unlikely to occur by chance: it has 8 characters,
// or 6 with letters and digits, and is no common word, no name of a host inside the
// cluster, and no certificate, which is public.
func distinctive(value string) bool {
	if len(value) < MinLength || strings.HasPrefix(value, "-----BEGIN CERTIFICATE-----") || isCommon(value) ||
		token.Find(value) != "" || isAddress(value) {
		return false
	}
	if len(value) >= 8 {
		return true
	}
	letters, digits := 0, 0
	for _, c := range value {
		switch {
		case isLetter(c):
			letters++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return letters >= 2 && digits >= 1
}

// isCommon reports whether a value is a common word.
func isCommon(value string) bool {
	return len(value) <= longestCommon && common[strings.ToLower(value)]
}

// longestCommon is no shorter than any common word.
const longestCommon = 32

// isAddress reports whether a value is the address of a host and nothing else, without
// a user, a path or a query.
func isAddress(value string) bool {
	host, web := strings.CutPrefix(value, "http://")
	if !web {
		host, web = strings.CutPrefix(value, "https://")
	}
	host = strings.TrimSuffix(host, "/")
	name, port, ported := strings.Cut(host, ":")
	if ported && strings.Trim(port, "0123456789") != "" || strings.ContainsAny(name, "@/?#&= ") {
		return false
	}
	return web || strings.HasSuffix(name, ".svc") || strings.HasSuffix(name, ".svc.cluster.local")
}

// common are words that are often the value of a Secret and never secret.
var common = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(`
		accesskey administrator alerting application critical database emergency informational logging security anonymous changeme clickhouse cluster-admin cockroach cockroachdb configmap container controller
		default-token deployment developer development disabled elasticsearch elastic-system enabled endpoint grafana-admin
		ingress-nginx keycloak-admin kube-public kube-system kubernetes kubernetes.io localhost localhost:6379 localhost:5432
		memcached minioadmin mongodb-root mongodb://localhost monitoring namespace password passwords postgres postgresql
		prometheus production preferred rabbitmq readonly replication replicator required root-user secretkey serviceaccount
		staging-1 superuser undefined username us-east-1 us-east-2 us-west-1 us-west-2 eu-west-1 eu-west-2 eu-central-1
		verify-full verify-ca 127.0.0.1 0.0.0.0 application/json text/plain info@example.com example.com example.org`) {
		words[word] = true
	}
	return words
}()

func isWordByte(c byte) bool { return isLetter(rune(c)) || c >= '0' && c <= '9' }
