module threeway/release/packages

go 1.26.0
