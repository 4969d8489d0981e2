# One image for every role: `docker build -t quarterdeck .`, then a role as the command (compose.yaml).
# Debian, because the embedded libraries and bubblewrap are built for its C library.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY . .
# The descriptions of all packages, those of workspaces too, and nothing else: what is copied of it changes with them alone.
RUN find . -type f ! -name package.json ! -name package-lock.json -delete && find . -mindepth 1 -type d -empty -delete

FROM node:24-bookworm-slim

# bubblewrap: the sandbox of command hooks. jq: the program that most of them read their input with. slirp4netns: the network of those that ask for one. tini: signals and children that ended.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates jq slirp4netns tini \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
RUN chown node:node /app
USER node

# Packages first: they change less often than sources.
COPY --from=manifests --chown=node:node /app ./
RUN npm ci --include=dev --no-audit --no-fund && npm cache clean --force

COPY --chown=node:node . .
# Everything that `npm start` would make before it serves, so that a container begins at once.
RUN node scripts/image-build.mjs

ENV HOST=0.0.0.0 PORT=3000 QUARTERDECK_DATA_DIR=/data NODE_ENV=production
USER root
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000

ENTRYPOINT ["/usr/bin/tini", "--", "/app/docker/entrypoint.sh"]
CMD []
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/scripts/image-health.mjs"]
