# One image for servers and workers. See docs/scaling-out.md.
#
# To build on one known base image for ever, name it with its digest:
#   docker buildx imagetools inspect node:24-bookworm-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… .
# The tag alone gets the security updates of its day (docs/decisions/0042-containers.md).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production STORESIGHT_DATA=/data STORESIGHT_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY demo-data ./demo-data
COPY mappings ./mappings
# New volumes get the owner of the folder that they are mounted on. All else belongs to root, and is only read.
RUN mkdir -p /data/spill && chown -R node:node /data
# The user `node`, as a number: some platforms check that it is not root's.
USER 1000:1000
VOLUME /data
EXPOSE 8787
HEALTHCHECK --start-period=30s --interval=10s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "dist/src/cli/main.js"]
CMD ["serve", "--behind-proxy"]
