# The site, installed as a package: docs/container.md.

# Only the program `node` is taken from the first image; it must run on the second.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# Only these files decide which packages are needed, so a change of others keeps this layer in the builder's cache.
COPY package.json package-lock.json ./
COPY deploy/checkout/package.json deploy/checkout/
# The secret is for your own npm registry.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp \
  && mkdir /app \
  && tar --extract --file /tmp/sockshootout-*.tgz --directory /app --strip-components 1
WORKDIR /app
# Installs the versions in the lock file, which a package does not contain. Then removes what nothing reads: libraries for
# another libc, other fonts, TypeScript, source maps and documentation.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
  cp /build/package-lock.json . \
  && npm pkg delete devDependencies workspaces \
  && npm install --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund --prefer-offline \
  && rm -rf node_modules/@libsql/*-musl node_modules/@resvg/*-musl \
  && find node_modules/dejavu-fonts-ttf -name '*.ttf' ! -name DejaVuSans.ttf ! -name DejaVuSans-Bold.ttf -delete \
  && find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' -o -name README.md -o -name CHANGELOG.md -o -name HISTORY.md ')' -delete

FROM ${BASE_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY --from=build /app /app
# A new volume gets the owner of the folder in the image. The user is a number, because the image has no name for it.
RUN install --directory --owner 65532 --group 65532 /data
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data PORT=8000
USER 65532:65532
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["node", "deploy/container/check-health.js"]
ENTRYPOINT ["node", "cli/sockshootout.js"]
CMD ["serve"]

ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="SockShootout" \
  org.opencontainers.image.description="Measures what SockJS and WebSocket gain over AJAX, from your browser" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
