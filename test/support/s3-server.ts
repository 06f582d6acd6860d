import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export const testBucket = 'site-files'

/** Of the server, in the variables that the AWS SDK reads. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const

export interface S3Server {
  /** `http://127.0.0.1:1234` */
  readonly endpoint: string
  /** `PUT /site-files/prefix/name`, in order. */
  readonly requests: string[]
  /** Called before each request. A returned `true` means that it answered. */
  fault: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** The names of all objects, sorted. */
  list(): readonly string[]
  stop(): Promise<void>
}

/** Starts an S3-compatible server with an empty bucket on a free local port. */
export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-pages-s3-'))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: testBucket }] })
  await s3.configureBuckets()
  const answer = s3.callback()
  const requests: string[] = []
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?', 1)[0]}`)
    if (!server.fault?.(request, response)) answer(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port returns its address as an object. Strings are for pipes.
  const { port } = http.address() as AddressInfo
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    fault: undefined,
    list: () =>
      readdirSync(join(directory, testBucket), { recursive: true, encoding: 'utf8' })
        .flatMap((path) => /^(.*)\._S3rver_object$/.exec(path)?.[1] ?? [])
        .sort(),
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return server
}
