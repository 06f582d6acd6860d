import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { PublicNetwork } from '../../src/files/network.ts'
import { selfSigned } from './self-signed.ts'

/** Serves with TLS on a free local port until the running test has ended. Returns the origin, such as `https://localhost:1234`. */
export async function serveHttps(listener: RequestListener): Promise<string> {
  const server = createServer(selfSigned, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port returns its address as an object.
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

/** A network in which `localhost` is a public server, and every other name resolves to a private address. */
export const localNetwork: PublicNetwork = {
  lookUp: (host, _options, done) => done(null, [{ address: host === 'localhost' ? '127.0.0.1' : '10.0.0.1', family: 4 }]),
  isAllowed: (address) => address === '127.0.0.1',
  certificates: selfSigned.cert,
}
