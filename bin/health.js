// Ends with 0 while the server of this container answers: for HEALTHCHECK, as the image has no curl.
const address = `http://127.0.0.1:${process.env.PORT || 3000}/readyz`
fetch(address, { signal: AbortSignal.timeout(4000) }).then(
  (response) => process.exit(response.ok ? 0 : 1),
  () => process.exit(1),
)
