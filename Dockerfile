# Both bases need Node.js 20.19 or newer and glibc; the first one npm too. The second has no shell by default.
ARG BUILD_BASE=docker.io/library/node:22-bookworm-slim
ARG RUNTIME_BASE=gcr.io/distroless/nodejs22-debian12

FROM ${BUILD_BASE} AS build
WORKDIR /app
COPY . .
RUN node scripts/prepare.mjs --build --for-use && mkdir /data

FROM ${BUILD_BASE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-packages.mjs scripts/
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund && node scripts/prune-packages.mjs

FROM ${RUNTIME_BASE}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/prisma prisma
COPY --from=build /app/dist dist
COPY --from=build /app/package.json ./
# A volume begins with the owner of the folder in the image.
COPY --from=build --chown=65532:65532 /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data PATH=/nodejs/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["dist/src/main.js"]
