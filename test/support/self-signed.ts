/**
 * An untrusted certificate for `localhost` with its key, made for these tests with `openssl req -x509`, valid for a hundred
 * years.
 */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6SktDZRxwyjZBkF6
JXAMemz9qBo7C49IBr6IqefdJyChRANCAAQ0cqHFE/LIZiejENgm+ak5mGIcoSvb
F6Xoz6tNA0FeYBYmMDkI8a0HczPF1NQ7gKoF1x0SzksJZpvkqjPDNrK0
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUQII8W2EcGigVv7F/Wo9787vYaY0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDEyMDYwNVoYDzIxMjYxMDI3
MTIwNjA1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ0cqHFE/LIZiejENgm+ak5mGIcoSvbF6Xoz6tNA0FeYBYmMDkI8a0H
czPF1NQ7gKoF1x0SzksJZpvkqjPDNrK0o2kwZzAdBgNVHQ4EFgQUKn1tZacWm0Ad
PW4gxNDLYj0mp/IwHwYDVR0jBBgwFoAUKn1tZacWm0AdPW4gxNDLYj0mp/IwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhALFRsDywp+GLnQJ/HblPmNbfk1cWANajzx/xUTQstmDgAiA+DgdZusZO
9U0myHwbXF1Zno3k/dhTFtXIkKdPXw4yoA==
-----END CERTIFICATE-----`,
}
