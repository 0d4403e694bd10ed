# The image, of the released program or of the one that `make -C release image` builds. It is made
# of nothing else, so there is no image of others to trust.
FROM scratch
# zoneinfo.zip has the time zones of CronJobs.
COPY threeway zoneinfo.zip /
ENV ZONEINFO=/zoneinfo.zip
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/threeway"]
