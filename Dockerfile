# syntax=docker/dockerfile:1
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json
WORKDIR /app
COPY packages/app/package.json ./
# No dependency of the app needs an install script.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund
COPY bin bin
# To include Chromium for screenshots of sites: docker build --build-arg CHROMIUM=1 .
ARG CHROMIUM=
RUN [ -z "$CHROMIUM" ] || (apt-get update && apt-get install -y --no-install-recommends chromium && rm -rf /var/lib/apt/lists/*)
# Created by `npm run build`.
COPY build/app build/app
COPY build/icons build/icons
COPY build/server build/server
COPY build/site build/site
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["node", "bin/health.js"]
CMD ["node", "bin/serve.js"]
