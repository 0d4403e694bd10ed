module threeway/release/sbom

go 1.26.0
