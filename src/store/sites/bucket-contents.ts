import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { StoreError } from '../../text/errors.ts'
import { forEachLimited } from '../../text/plain/lists.ts'
import { keepFact, type RecordSources, readFact, type StoreDatabase, writeFact } from '../database/store-database.ts'
import type { SiteContentRow, Tables } from '../database/tables.ts'
import { BucketError, type NewSiteContent, type SiteBucket, type SiteEncoding, sitePartBytes } from './stored-sites.ts'

export const siteEncodings = ['identity', 'br', 'gzip'] as const satisfies readonly SiteEncoding[]

/**
 * A content of a site has an object for each encoding, and its row has the common part of their names. These rules keep rows and
 * objects consistent, in any number of processes that may be killed at any point:
 *
 * 1. No two uploads use the same name: it is random and begins with the time. So deleting an object never deletes a later upload of the
 *    same content, and an object never changes.
 * 2. Objects are written before the row. If another process stored the same content meanwhile, its row stays, and the new objects are
 *    deleted. A row is committed at most an hour after the time in its name (`maxCommitMs`), so a process that was paused for longer
 *    fails.
 * 3. The row is deleted before its objects. `findMissing` renews the row in the same kind of transaction that deletes it. So either the
 *    content is missing and gets new objects, or the row and its objects stay for another hour.
 * 4. A killed process leaves objects without a row. `sweepBucket` lists all names slowly and deletes those without a row, a day after
 *    the time in their name. Because of rule 2, no row for them can follow.
 */
const maxCommitMs = 3_600_000
const keepUnknownMs = 24 * 3_600_000

const requestsAtOnce = 16

const objectPattern = /^([0-9a-f]{12}-[0-9a-f]{32})\.(?:identity|br|gzip)$/

export function toObjectName(object: string, encoding: SiteEncoding): string {
  return `${object}.${encoding}`
}

/** The names of the objects of a row. */
export function listObjects(row: Omit<SiteContentRow, 'hash' | 'size_bytes' | 'unused_since'>): readonly string[] {
  const { object } = row
  if (object === null) return []
  return siteEncodings.flatMap((encoding) => (row[`${encoding}_bytes`] === null ? [] : [toObjectName(object, encoding)]))
}

/** Writes the objects of contents. Returns the common part of their names by the hash of the content. */
export async function uploadContents(
  database: StoreDatabase,
  { now, randomBytes }: RecordSources,
  bucket: SiteBucket,
  contents: readonly NewSiteContent[],
): Promise<ReadonlyMap<string, string>> {
  if (contents.length === 0) return new Map()
  if (!claimedBuckets.has(bucket)) await claimBucket(database, bucket)
  const time = Math.floor(now()).toString(16).padStart(12, '0')
  const names = new Map(contents.map(({ hash }) => [hash, `${time}-${Buffer.from(randomBytes(16)).toString('hex')}`]))
  const bodies = [...new Map(contents.map((content) => [content.hash, content])).values()].flatMap(({ hash, bodies }) =>
    siteEncodings.flatMap((encoding) => {
      const bytes = bodies[encoding]
      return bytes ? [{ name: toObjectName(names.get(hash) ?? '', encoding), bytes, encoding }] : []
    }),
  )
  await forEachLimited(bodies, requestsAtOnce, ({ name, bytes, encoding }) => bucket.put(name, bytes, encoding))
  return names
}

/** A part of a body, of `sitePartBytes`. */
export interface BodyPart {
  readonly hash: string
  readonly encoding: SiteEncoding
  readonly part: number
}

/**
 * A part of a body in the bucket; `undefined` if the body is not there or has no such part.
 *
 * Each part is one request, so that slow readers hold no connection to the bucket, and a failed part is requested again.
 */
export async function readObjectPart(
  reader: Kysely<Tables>,
  bucket: SiteBucket,
  { hash, encoding, part }: BodyPart,
): Promise<Uint8Array | undefined> {
  const find = () =>
    reader
      .selectFrom('site_contents')
      .select(['object', 'identity_bytes', 'br_bytes', 'gzip_bytes'])
      .where('hash', '=', hash)
      .executeTakeFirst()
  const row = await find()
  const lengthBytes = row?.[`${encoding}_bytes`] ?? undefined
  if (typeof row?.object !== 'string' || lengthBytes === undefined) return undefined
  const [start, end] = [part * sitePartBytes, Math.min((part + 1) * sitePartBytes, lengthBytes)]
  if (lengthBytes === 0 && part === 0) return new Uint8Array()
  if (start >= lengthBytes) return undefined
  // Without a range, the SDK compares the bytes with the checksum of the object.
  const isWhole = start === 0 && end === lengthBytes
  const bytes = await bucket.read(toObjectName(row.object, encoding), isWhole ? undefined : { start, end })
  if (bytes && bytes.length === end - start) return bytes
  if ((await find())?.object !== row.object) return undefined
  throw new BucketError(
    `Cannot use the bucket ${bucket.place}: the object ${toObjectName(row.object, encoding)} is missing or damaged`,
    {
      code: 'NoSuchKey',
      isTemporary: false,
      hint: 'Restore it from a backup or an earlier version of the bucket, or push to the repository again',
    },
  )
}

/** @throws {StoreError} if the objects are so old that their row may no longer be committed. For the transaction. */
export function rejectLateObject({ now }: Pick<RecordSources, 'now'>, object: string): void {
  if (Math.abs(now() - toTimeMs(object)) > maxCommitMs)
    throw new StoreError('Cannot store contents of a site: their upload took longer than an hour')
}

/** Deletes objects that have no row. `sweepBucket` deletes them later if this fails. */
export async function deleteObjects(bucket: SiteBucket, names: readonly string[]): Promise<void> {
  await forEachLimited(names, requestsAtOnce, (name) => bucket.delete(name)).catch(() => undefined)
}

/** Pages of names in one call of `sweepBucket`. A million objects take two days with a call each hour. */
const pagesPerSweep = 20

const cursorName = 'site_bucket_sweep'

/** Deletes some objects that have no row. Continues where the last call ended. */
export async function sweepBucket(
  { reader, write }: StoreDatabase,
  now: RecordSources['now'],
  bucket: SiteBucket,
): Promise<number> {
  const before = now() - keepUnknownMs
  let after = (await readFact(reader, cursorName)) ?? ''
  let deleted = 0
  for (let page = 0; page < pagesPerSweep; page++) {
    const names = await bucket.list(after)
    const objects = new Set(names.flatMap((name) => objectPattern.exec(name)?.[1] ?? []))
    const old = [...objects].filter((object) => toTimeMs(object) < before)
    const unknown = await findUnknown(reader, old)
    await forEachLimited(
      names.filter((name) => unknown.has(objectPattern.exec(name)?.[1] ?? '')),
      requestsAtOnce,
      (name) => bucket.delete(name),
    )
    deleted += unknown.size
    // Names sort by time, so the rest is young.
    const isEnd = names.length === 0 || old.length < objects.size
    after = isEnd ? '' : (names.at(-1) ?? '')
    if (isEnd) break
  }
  await write((transaction) => writeFact(transaction, cursorName, after))
  return deleted
}

async function findUnknown(reader: Kysely<Tables>, objects: readonly string[]): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  const rows = await reader.selectFrom('site_contents').select('object').where('object', 'in', objects).execute()
  const known = new Set(rows.map(({ object }) => object))
  return new Set(objects.filter((object) => !known.has(object)))
}

/** The object with the identity of the store, so that two stores cannot share a prefix and delete each other's objects. */
const markerName = 'openapi-pages-store'

const identityName = 'site_bucket'

/** Buckets that were checked in this process. */
const claimedBuckets = new WeakSet<SiteBucket>()

/**
 * Checks that the bucket belongs to this store, and marks an unused one. Without a bucket, checks that none is needed.
 *
 * @throws {StoreError}
 */
export async function claimBucket({ reader, write }: StoreDatabase, bucket: SiteBucket | undefined): Promise<void> {
  const known = await readFact(reader, identityName)
  const isUsed = async () =>
    (await reader.selectFrom('site_contents').select('hash').where('object', 'is not', null).limit(1).executeTakeFirst()) !==
    undefined
  if (!bucket) {
    if (known === undefined || !(await isUsed())) return
    throw new StoreError('Cannot use the store without its bucket: it contains files of the sites', {
      hint: 'Set SITES_BUCKET as before',
    })
  }
  const marker = await bucket.read(markerName)
  const owner = marker && Buffer.from(marker).toString('utf8').trim()
  if (owner !== undefined && owner !== known) {
    throw new StoreError(`Cannot use the bucket ${bucket.place}: it belongs to another store`, {
      hint: 'Use another prefix: SITES_BUCKET=s3://name/prefix. If that store no longer exists, delete its objects',
    })
  }
  if (owner === undefined && known !== undefined && (await isUsed())) {
    throw new StoreError(`Cannot use the bucket ${bucket.place}: it does not contain the files of this store`, {
      hint: 'Set SITES_BUCKET as before, or copy all objects of the old prefix to the new one',
    })
  }
  if (owner !== undefined) {
    claimedBuckets.add(bucket)
    return
  }
  const value = await write((transaction) => keepFact(transaction, identityName, randomUUID()))
  await bucket.put(markerName, Buffer.from(`${value}\n`), 'identity')
  claimedBuckets.add(bucket)
}

function toTimeMs(object: string): number {
  return Number.parseInt(object.slice(0, 12), 16)
}
