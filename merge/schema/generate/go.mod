module threeway/merge/schema/generate

go 1.26.0
