# docker build -t threeway .
# docker run --rm -v "$PWD:/work" threeway lint deploy/
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN make build VERSION="$VERSION"

FROM scratch
COPY --from=build /src/bin/threeway /threeway
# The time zones of CronJobs are looked up in it.
COPY --from=build /usr/local/go/lib/time/zoneinfo.zip /zoneinfo.zip
ENV ZONEINFO=/zoneinfo.zip
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/threeway"]
