# syntax=docker/dockerfile:1

# The build: dependencies and intermediate results stay in cache mounts, so that a change of the
# sources compiles this crate alone. Naming the target keeps `crt-static` away from build scripts; as a
# setting, not in RUSTFLAGS, it adds to those of .cargo/config.toml.
FROM docker.io/library/rust:1.95-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082 AS build
WORKDIR /build
# The commit, as health and metrics name it.
ARG REVISION=
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    target="$(rustc -vV | sed -n 's/^host: //p')" && \
    REVISION="$REVISION" cargo build --profile dist --locked --bin bestmove --target "$target" \
        --config 'target."cfg(all())".rustflags = ["-C", "target-feature=+crt-static"]' && \
    cp "target/$target/dist/bestmove" /bestmove

# The image: one static program, nothing else.
FROM scratch
ARG VERSION=0.4.0
ARG REVISION=
LABEL org.opencontainers.image.title="bestmove" \
      org.opencontainers.image.description="An HTTP microservice that answers with the best move of a board game" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /bestmove /bestmove
USER 65532:65532
# One arena for all threads: the allocator otherwise keeps pages for each of eight a core, at no gain in time.
ENV HOST=0.0.0.0 \
    PORT=8080 \
    MALLOC_ARENA_MAX=1
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 CMD ["/bestmove", "healthcheck"]
ENTRYPOINT ["/bestmove"]
