# Builds the npm package of the app from these sources, and installs it. The release names the digest of its base image in base-image.txt.
ARG NODE_IMAGE=node:24-slim
FROM $NODE_IMAGE AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run packages
WORKDIR /app
# npm takes the packages that the app needs from the lock file, checks their hashes, and drops the others. None needs an install script.
RUN cp /src/package-lock.json . && npm install --omit=dev --ignore-scripts --no-audit --no-fund /src/build/packages/openapi-pages-app-*.tgz
WORKDIR /data

FROM $NODE_IMAGE
# To include Chromium for screenshots of sites: docker build --build-arg CHROMIUM=1 .
# It has no locked version, because only the newest one is safe. The released image does not contain it.
ARG CHROMIUM=
RUN [ -z "$CHROMIUM" ] || (apt-get update && apt-get install -y --no-install-recommends chromium && rm -rf /var/lib/apt/lists/*)
COPY --from=build /app /app
COPY --from=build --chown=node:node /data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json PATH=/app/node_modules/.bin:$PATH
# Relative paths, such as those of backups, are in the volume.
WORKDIR /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["node", "/app/node_modules/openapi-pages-app/bin/health.js"]
CMD ["openapi-pages-app"]
