import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { codeOf } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { BucketError, type SiteBucket } from './stored-sites.ts'

export interface BucketPlace {
  readonly name: string
  /** `''`, or ends with `/`. */
  readonly prefix: string
  /** The URL of a server other than AWS. With the name of the bucket in its host, requests go there, otherwise to a path. */
  readonly endpoint?: string | undefined
  /** Default: the region of the environment, then `us-east-1`. */
  readonly region?: string | undefined
}

/** Attempts of one request. Each waits longer than the one before. */
const maxAttempts = 4

/** Time for connecting, and for a connection without data. */
const idleMs = 5_000

/** Time for one request with all its attempts, and in addition for each MiB of its body. */
const requestMs = 20_000
const mebibyteMs = 2_000

/**
 * Opens a bucket of Amazon S3 or of a compatible server. Sends no request.
 *
 * The credentials are those of the AWS SDK: environment variables, then the shared files, the container or the machine. The headers of
 * an object are safe even in a public bucket: no browser runs or shows the object, and no shared cache stores it.
 */
export function openS3Bucket(place: BucketPlace): SiteBucket {
  const { name, prefix } = place
  const described = `s3://${name}/${prefix}`.replace(/\/$/, '')
  const client = new S3Client({
    region: place.region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    ...(place.endpoint !== undefined && toEndpoint(place.endpoint, name)),
    maxAttempts,
    // Some compatible servers know no other checksum than the one that `put` sends.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: idleMs,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: maxConnections, keepAlive: true },
      httpsAgent: { maxSockets: maxConnections, keepAlive: true },
    },
  })

  /** Also repeats requests whose response ended too early, which the SDK does not. */
  const send = async <Value>(sizeBytes: number, request: (abortSignal: AbortSignal) => Promise<Value>): Promise<Value> => {
    const abortSignal = AbortSignal.timeout(requestMs + Math.ceil(sizeBytes / 1024 / 1024) * mebibyteMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(abortSignal)
      } catch (error) {
        const isLost = error instanceof ShortResponseError || codeOf(error) === 'ECONNRESET'
        if (!isLost || attempt === maxAttempts || abortSignal.aborted) throw toBucketError(error, described)
        await sleep(50 * 4 ** attempt * Math.random())
      }
    }
  }

  return {
    place: described,

    async put(key, bytes, encoding) {
      await send(bytes.length, (abortSignal) =>
        client.send(
          new PutObjectCommand({
            Bucket: name,
            Key: prefix + key,
            Body: bytes,
            ContentLength: bytes.length,
            ContentType: 'application/octet-stream',
            ContentDisposition: 'attachment',
            CacheControl: 'private, max-age=31536000, immutable',
            ...(encoding !== 'identity' && { ContentEncoding: encoding }),
            // The server compares it with the bytes that arrived.
            ChecksumSHA256: createHash('sha256').update(bytes).digest('base64'),
          }),
          { abortSignal },
        ),
      )
    },

    async read(key, range) {
      try {
        return await send(range === undefined ? 0 : range.end - range.start, async (abortSignal) => {
          const { Body: body, ContentLength: length } = await client.send(
            new GetObjectCommand({
              Bucket: name,
              Key: prefix + key,
              ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }),
            }),
            { abortSignal },
          )
          const wanted = range ? range.end - range.start : length
          if (!body || length !== wanted) throw new ShortResponseError(`expected ${wanted} bytes, got ${length}`)
          const bytes = await body.transformToByteArray()
          if (bytes.length !== wanted) throw new ShortResponseError(`expected ${wanted} bytes, got ${bytes.length}`)
          return bytes
        })
      } catch (error) {
        if (error instanceof BucketError && error.code === 'NoSuchKey') return undefined
        throw error
      }
    },

    async delete(key) {
      await send(0, (abortSignal) => client.send(new DeleteObjectCommand({ Bucket: name, Key: prefix + key }), { abortSignal }))
    },

    async list(after) {
      const { Contents: found = [] } = await send(0, (abortSignal) =>
        client.send(
          new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ...(after !== '' && { StartAfter: prefix + after }) }),
          { abortSignal },
        ),
      )
      return found.flatMap(({ Key: key }) => (key === undefined ? [] : [key.slice(prefix.length)]))
    },

    close: () => client.destroy(),
  }
}

const maxConnections = 50

/** A compatible server gets the name of the bucket in the path, unless its URL has it in the host. */
function toEndpoint(endpoint: string, name: string): { readonly endpoint: string; readonly forcePathStyle: boolean } {
  const url = new URL(endpoint)
  const isInHost = url.hostname.startsWith(`${name}.`)
  if (isInHost) url.hostname = url.hostname.slice(name.length + 1)
  return { endpoint: url.href, forcePathStyle: !isInHost }
}

/** The response has fewer bytes than its object. */
class ShortResponseError extends Error {
  override readonly name = 'ShortResponseError'
}

function toBucketError(error: unknown, described: string): unknown {
  if (!(error instanceof Error)) return error
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const code = codeOf(error) ?? error.name
  const isTemporary = status === undefined ? !readOwn(hints, code) || code === 'ECONNREFUSED' : status >= 500 || status === 429
  const hint = readOwn(hints, code) ?? (status === 403 ? hints['AccessDenied'] : isTemporary ? unreachable : undefined)
  return new BucketError(`Cannot use the bucket ${described}: ${toReason(error, code)}`, {
    cause: error,
    code,
    isTemporary,
    ...(hint !== undefined && { hint }),
  })
}

function toReason(error: Error, code: string): string {
  if (code === 'TimeoutError' || code === 'AbortError') return 'it did not answer in time'
  // Servers may answer with an empty message or with HTML of a proxy.
  const [line = ''] = error.message.split('\n')
  return line.length > 0 && line !== 'UnknownError' ? line.slice(0, 300) : code
}

const unreachable = 'Check the network, and SITES_BUCKET_ENDPOINT if the bucket is not at AWS'
const credentials = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of this machine'

/**
 * By the code of the error.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html.
 */
const hints: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create the bucket, or change its name in SITES_BUCKET',
  AccessDenied: 'Allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket for the bucket and its prefix',
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  ExpiredToken: credentials,
  InvalidToken: credentials,
  CredentialsProviderError: `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role that may use the bucket`,
  PermanentRedirect: 'Set SITES_BUCKET_REGION to the region of the bucket',
  AuthorizationHeaderMalformed: 'Set SITES_BUCKET_REGION to the region of the bucket',
  RequestTimeTooSkewed: 'Synchronize the clock of this machine with NTP',
  ENOTFOUND: 'Check the host in SITES_BUCKET_ENDPOINT',
  ECONNREFUSED: unreachable,
}
