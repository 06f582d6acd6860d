# Caddy with the module of a DNS provider, which wildcard certificates need: https://github.com/caddy-dns
FROM caddy:2-builder AS build
ARG DNS_PROVIDER
RUN xcaddy build --with github.com/caddy-dns/${DNS_PROVIDER}

FROM caddy:2
COPY --from=build /usr/bin/caddy /usr/bin/caddy
