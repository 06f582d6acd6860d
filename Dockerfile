# syntax=docker/dockerfile:1
# Builds the npm package of the app from these sources, and installs it.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY scripts/prepare.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run packages
WORKDIR /app
# No dependency of the app needs an install script.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /src/build/packages/openapi-pages-app-*.tgz
WORKDIR /data

FROM node:24-slim
# To include Chromium for screenshots of sites: docker build --build-arg CHROMIUM=1 .
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
