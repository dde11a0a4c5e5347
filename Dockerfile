# The program with git, for machines without Rust: `docker build -t novel .`, then in the folder of a book
#
#   docker run --rm -it -u "$(id -u):$(id -g)" -v "$PWD:/book" -v ~/.gitconfig:/home/author/.gitconfig:ro -e DEEPSEEK_API_KEY novel continue
#
# `--network host` behind `run` lets `novel serve` be opened in the browser of the same machine (Linux).
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist --bins

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 author \
    && chmod 777 /home/author
COPY --from=build /src/target/dist/novel /src/target/dist/git-novel /usr/local/bin/
# A user that `docker run -u` names has no home of its own.
ENV HOME=/home/author LANG=C.UTF-8
USER author
WORKDIR /book
ENTRYPOINT ["novel"]
