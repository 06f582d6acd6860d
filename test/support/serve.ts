import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Answers on a free port of this machine until the running test has ended; gives the origin, such as `http://127.0.0.1:1234`. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port gives its address as an object; the text form is for pipes.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
