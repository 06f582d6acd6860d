import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type ZlibOptions } from 'node:zlib'
import { deleteObjects, listObjects, rejectLateObject, siteEncodings, toObjectName, uploadContents } from './bucket-contents.ts'
import { insertParts } from './site-contents.ts'
import { type StoreContext, StoreError } from './store-context.ts'
import type { ContentPlace, MovedContents, NewSiteContent, SiteBucket, SiteEncoding } from './stored-sites.ts'
import type { SiteContentRow } from './tables.ts'

/** Contents per step. */
const contentsPerStep = 50

/** Bytes of contents that are in memory together. A larger content is moved alone. */
const bytesAtOnce = 16 * 1024 * 1024

/** `SiteStore.moveContents`. */
export async function moveContents(context: StoreContext, to: ContentPlace, after = ''): Promise<MovedContents> {
  const { reader, bucket } = context
  if (!bucket) throw new StoreError('Cannot move contents of sites: there is no bucket', { hint: 'Set SITES_BUCKET' })
  const rows = await reader
    .selectFrom('site_contents')
    .selectAll()
    .where('hash', '>', after)
    .where('object', to === 'bucket' ? 'is' : 'is not', null)
    .orderBy('hash')
    .limit(contentsPerStep)
    .execute()
  const moved = { contents: 0, storedBytes: 0, damaged: [] as string[] }
  for (const some of splitBySize(rows)) {
    const whole: WholeContent[] = []
    for (const row of some) {
      const bodies = row.object === null ? await readParts(context, row) : await readObjects(bucket, row, row.object)
      if (await isUndamaged(row, bodies)) whole.push({ row, content: { hash: row.hash, sizeBytes: row.size_bytes, bodies } })
      else if (await isUnchanged(context, row)) moved.damaged.push(row.hash)
    }
    const hashes = to === 'bucket' ? await moveToBucket(context, bucket, whole) : await moveToDatabase(context, bucket, whole)
    moved.contents += hashes.size
    for (const { row } of whole) if (hashes.has(row.hash)) moved.storedBytes += toStoredBytes(row)
  }
  return { ...moved, after: rows.length < contentsPerStep ? undefined : rows.at(-1)?.hash }
}

interface WholeContent {
  readonly row: SiteContentRow
  readonly content: NewSiteContent
}

/** Returns the hashes of the moved contents. Others were moved or deleted meanwhile. */
async function moveToBucket(
  context: StoreContext,
  bucket: SiteBucket,
  contents: readonly WholeContent[],
): Promise<ReadonlySet<string>> {
  const objects = await uploadContents(
    context,
    bucket,
    contents.map(({ content }) => content),
  )
  for (const { row, content } of contents) {
    const copy = await readObjects(bucket, row, objects.get(row.hash) ?? '')
    const isSame = siteEncodings.every((encoding) => isSameBytes(copy[encoding], content.bodies[encoding]))
    if (!isSame)
      throw new StoreError(`Cannot move contents of sites: the bucket ${bucket.place} returned other bytes than were stored`)
  }
  let moved = new Set<string>()
  await context.write(async (transaction) => {
    moved = new Set()
    for (const [hash, object] of objects) {
      rejectLateObject(context, object)
      const { numUpdatedRows } = await transaction
        .updateTable('site_contents')
        .set({ object })
        .where('hash', '=', hash)
        .where('object', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) continue
      await transaction.deleteFrom('site_parts').where('hash', '=', hash).execute()
      moved.add(hash)
    }
  })
  const unused = contents.filter(({ row }) => !moved.has(row.hash))
  await deleteObjects(
    bucket,
    unused.flatMap(({ row }) => listObjects({ ...row, object: objects.get(row.hash) ?? null })),
  )
  return moved
}

async function moveToDatabase(
  context: StoreContext,
  bucket: SiteBucket,
  contents: readonly WholeContent[],
): Promise<ReadonlySet<string>> {
  let moved = new Set<string>()
  await context.write(async (transaction) => {
    moved = new Set()
    for (const { row, content } of contents) {
      const { numUpdatedRows } = await transaction
        .updateTable('site_contents')
        .set({ object: null })
        .where('hash', '=', row.hash)
        .where('object', '=', row.object)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) continue
      await insertParts(transaction, [content])
      moved.add(row.hash)
    }
  })
  const old = contents.filter(({ row }) => moved.has(row.hash))
  await deleteObjects(
    bucket,
    old.flatMap(({ row }) => listObjects(row)),
  )
  return moved
}

async function readParts({ reader }: StoreContext, { hash }: SiteContentRow): Promise<NewSiteContent['bodies']> {
  const rows = await reader
    .selectFrom('site_parts')
    .select(['encoding', 'bytes'])
    .where('hash', '=', hash)
    .orderBy('encoding')
    .orderBy('part')
    .execute()
  const partsOf = (encoding: SiteEncoding) => rows.filter((row) => row.encoding === encoding).map(({ bytes }) => bytes)
  return Object.fromEntries(
    siteEncodings.flatMap((encoding) => {
      const parts = partsOf(encoding)
      return parts.length === 0 ? [] : [[encoding, Buffer.concat(parts)]]
    }),
  )
}

async function readObjects(bucket: SiteBucket, row: SiteContentRow, object: string): Promise<NewSiteContent['bodies']> {
  const bodies: Partial<Record<SiteEncoding, Uint8Array>> = {}
  for (const encoding of siteEncodings) {
    if (row[`${encoding}_bytes`] === null) continue
    const bytes = await bucket.read(toObjectName(object, encoding))
    if (bytes) bodies[encoding] = bytes
  }
  return bodies
}

const decode = {
  identity: async (body: Uint8Array) => body,
  br: promisify<Uint8Array, ZlibOptions, Buffer>(brotliDecompress),
  gzip: promisify<Uint8Array, ZlibOptions, Buffer>(gunzip),
}

/** Compares lengths, and each body with the hash of the content. */
async function isUndamaged(row: SiteContentRow, bodies: NewSiteContent['bodies']): Promise<boolean> {
  for (const encoding of siteEncodings) {
    if ((bodies[encoding]?.length ?? null) !== row[`${encoding}_bytes`]) return false
  }
  const options = { maxOutputLength: Math.max(1, row.size_bytes) }
  try {
    for (const encoding of siteEncodings) {
      const body = bodies[encoding]
      if (!body) continue
      const bytes = await decode[encoding](body, options)
      if (createHash('sha256').update(bytes).digest('hex') !== row.hash) return false
    }
    return true
  } catch {
    return false
  }
}

/** Whether a content is still in the place where it was read. */
async function isUnchanged({ reader }: StoreContext, { hash, object }: SiteContentRow): Promise<boolean> {
  const row = await reader.selectFrom('site_contents').select('object').where('hash', '=', hash).executeTakeFirst()
  return row?.object === object
}

function isSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}

function splitBySize(rows: readonly SiteContentRow[]): SiteContentRow[][] {
  const groups: SiteContentRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const own = toStoredBytes(row) + row.size_bytes
    if (bytes + own > bytesAtOnce) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(row)
    bytes += own
  }
  return groups
}

function toStoredBytes({ identity_bytes: identity, br_bytes: br, gzip_bytes: gzip }: SiteContentRow): number {
  return (identity ?? 0) + (br ?? 0) + (gzip ?? 0)
}
