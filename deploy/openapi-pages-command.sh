#!/bin/sh
# Runs a command of the app with the user and the settings of openapi-pages.service, and with no more access to files than the service.
exec systemd-run --quiet --pipe --wait --collect --service-type=exec \
  --property=EnvironmentFile=/etc/openapi-pages.env \
  --property='Environment=NODE_ENV=production DATA_DIR=/var/lib/openapi-pages' \
  --property=DynamicUser=yes \
  --property=User=openapi-pages \
  --property=StateDirectory=openapi-pages \
  --property=StateDirectoryMode=0700 \
  --property=WorkingDirectory=/var/lib/openapi-pages \
  --property=UMask=0077 \
  --property=ProtectHome=yes \
  --property=CapabilityBoundingSet= \
  /usr/bin/node /opt/openapi-pages/node_modules/openapi-pages-app/bin/serve.js "$@"
