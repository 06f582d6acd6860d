import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves on a free local port until the running test has ended. Returns the origin, such as `http://127.0.0.1:1234`. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port returns its address as an object. Strings are for pipes.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
