package diff

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"threeway/command/system"
	"threeway/merge/show"
)

// externalDiff runs the program of KUBECTL_EXTERNAL_DIFF over two directories
// that hold the live and the merged objects, and reports whether it found
// differences (exit code 1). Only this user can read the directories; they
// are removed afterwards, on interrupt as well.
func externalDiff(command string, files []show.File, std system.Streams) (differ bool, err error) {
	words, err := system.ShellWords(command)
	if err != nil || len(words) == 0 {
		return false, fmt.Errorf("KUBECTL_EXTERNAL_DIFF %q cannot be split into words: %v", command, err)
	}
	scratch, err := system.NewScratch()
	if err != nil {
		return false, fmt.Errorf("make a directory for %s: %w", words[0], err)
	}
	defer scratch.Remove()
	for _, side := range []string{"LIVE", "MERGED"} {
		if err := scratch.Mkdir(side, 0o700); err != nil {
			return false, err
		}
	}
	for _, f := range files {
		for side, text := range map[string]string{"LIVE": f.Live, "MERGED": f.Merged} {
			if side == "MERGED" && text == "" {
				continue // pruned; what is created has an empty file in LIVE, as with kubectl
			}
			if err := scratch.Write(filepath.Join(side, f.Name), []byte(text)); err != nil {
				return false, err
			}
		}
	}
	program := system.Program{Path: words[0], Args: append(words[1:], "LIVE", "MERGED"), Dir: scratch.Name(), Stdout: std.Out, Stderr: std.Err, Patience: time.Second}
	if f := system.FileOf(std.Out); f != nil {
		program.Stdout = f // a program may want the terminal
	}
	err = program.Run(context.Background())
	if code, by, ran := system.Exit(err); ran && by == system.SignalPipe {
		return false, syscall.EPIPE // its reader is gone
	} else if ran && code == 1 {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("run %s (KUBECTL_EXTERNAL_DIFF): %w", words[0], err)
	}
	return false, nil
}
