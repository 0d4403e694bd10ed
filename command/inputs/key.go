package inputs

import (
	"fmt"
	"os"

	"threeway/command/request"
	"threeway/merge/redact"
)

// RedactionKey is the key in a file, or, if file is empty, the one in the
// environment; nil if there is none.
func RedactionKey(file string) (*redact.Key, error) {
	secret, source := []byte(os.Getenv(request.KeyVariable)), "$"+request.KeyVariable
	if file != "" {
		var err error
		if secret, err = os.ReadFile(file); err != nil {
			return nil, fmt.Errorf("read the key: %v", err)
		}
		source = file
	} else if len(secret) == 0 {
		return nil, nil
	}
	key, err := redact.NewKey(secret)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", source, err)
	}
	return key, nil
}
