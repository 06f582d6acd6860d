import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../../status/update-record.ts'
import { StoreError } from '../../text/errors.ts'
import { chunk, type RecordSources, type StoreDatabase, toTime } from '../database/store-database.ts'
import type { SiteContentRow, Tables } from '../database/tables.ts'
import { findUpdate } from '../records/update-rows.ts'
import {
  type BodyPart,
  deleteObjects,
  readObjectPart,
  rejectLateObject,
  siteEncodings,
  toObjectName,
  uploadContents,
} from './bucket-contents.ts'
import {
  addToTotals,
  type BuildFiles,
  changeStored,
  type NewSiteContent,
  publicFilesOf,
  type ScreenshotTheme,
  type SiteBucket,
  type SiteEncoding,
  type SiteScreenshot,
  type StoredSiteFile,
  screenshotThemes,
  selectBuilds,
  sitePartBytes,
} from './stored-sites.ts'

/** Hashes per statement: databases limit the number of parameters. */
const hashBatchSize = 500

/** Contents per transaction: each takes several statements, which block the process. */
const contentBatchSize = 100

/** The parts of `Store.sites` about contents. */
export function createSiteContents(database: StoreDatabase, sources: RecordSources, bucket: SiteBucket | undefined) {
  const { write, reader, leaseNow } = database
  const readPart = async ({ hash, encoding, part }: BodyPart): Promise<Uint8Array | undefined> => {
    const row = await reader
      .selectFrom('site_parts')
      .select('bytes')
      .where('hash', '=', hash)
      .where('encoding', '=', encoding)
      .where('part', '=', part)
      .executeTakeFirst()
    return row?.bytes
  }
  return {
    /** The hashes without stored content. `collect` keeps the other contents for as long as a run may take. */
    async findMissing(hashes: readonly string[]) {
      const missing: string[] = []
      for (const some of chunk([...new Set(hashes)], hashBatchSize)) {
        const found = await write(async (transaction) => {
          return await renew(transaction, some, toTime(await leaseNow(transaction)))
        })
        const known = new Set(found)
        missing.push(...some.filter((hash) => !known.has(hash)))
      }
      return missing
    },

    /** Stores new contents and ignores existing ones. */
    async addContents(contents: readonly NewSiteContent[]) {
      for (const some of chunk(contents, contentBatchSize)) {
        await writeContents(database, { sources, bucket }, some, (insert) => insert())
      }
    },

    /** The bytes of a body in parts of at most 1 MiB, beginning with part `first`. Empty if there is no such body. */
    async *readBody(hash: string, encoding: SiteEncoding, first = 0): AsyncIterable<Uint8Array> {
      for (let part = first; ; part++) {
        const place = { hash, encoding, part }
        // Contents that were stored without a bucket are in the database.
        const bytes = (bucket && (await readObjectPart(reader, bucket, place))) ?? (await readPart(place))
        if (bytes) yield bytes
        else if (!bucket && part === first) await rejectObject(reader, hash)
        if (!bytes || bytes.length < sitePartBytes) return
      }
    },
  }
}

/** @throws {StoreError} if a content is in a bucket that this process does not have. */
async function rejectObject(reader: Kysely<Tables>, hash: string): Promise<void> {
  const row = await reader.selectFrom('site_contents').select('object').where('hash', '=', hash).executeTakeFirst()
  if (typeof row?.object === 'string')
    throw new StoreError('Cannot read a file of a site: it is in a bucket', { hint: 'Set SITES_BUCKET for this process' })
}

/**
 * Runs a transaction that inserts the contents when it calls `insert`, which ignores existing ones.
 *
 * With a bucket, the objects are written first. If the transaction does not use them, for example because another process stored the
 * same content, they are deleted. If its end is unknown, for example because the connection was lost, `collect` decides later.
 */
async function writeContents<Value>(
  database: StoreDatabase,
  { sources, bucket }: { readonly sources: RecordSources; readonly bucket: SiteBucket | undefined },
  contents: readonly NewSiteContent[],
  work: (insert: () => Promise<void>, transaction: Kysely<Tables>) => Promise<Value>,
): Promise<Value> {
  const { write, leaseNow } = database
  const objects = bucket
    ? await uploadContents(database, sources, bucket, await listNew(database.reader, contents))
    : new Map<string, string>()
  let used = new Set<string>()
  const value = await write(async (transaction) => {
    // The transaction may be repeated.
    used = new Set()
    const insert = async () => {
      for (const object of objects.values()) rejectLateObject(sources, object)
      const at = toTime(await leaseNow(transaction))
      const fresh = await insertNew(transaction, contents, { objects, at })
      for (const { hash } of fresh) {
        const object = objects.get(hash)
        if (object !== undefined) used.add(object)
      }
    }
    return await work(insert, transaction)
  })
  if (bucket && objects.size > used.size) {
    const unused = contents.flatMap(({ hash, bodies }) => {
      const object = objects.get(hash)
      if (object === undefined || used.has(object)) return []
      return siteEncodings.flatMap((encoding) => (bodies[encoding] ? [toObjectName(object, encoding)] : []))
    })
    await deleteObjects(bucket, unused)
  }
  return value
}

/** Those of the contents that are not stored, each once. */
async function listNew(database: Kysely<Tables>, contents: readonly NewSiteContent[]): Promise<readonly NewSiteContent[]> {
  const byHash = new Map(contents.map((content) => [content.hash, content]))
  if (byHash.size === 0) return []
  const known = await database
    .selectFrom('site_contents')
    .select('hash')
    .where('hash', 'in', [...byHash.keys()])
    .execute()
  for (const { hash } of known) byHash.delete(hash)
  return [...byHash.values()]
}

/** The stored ones among these hashes. Restarts the time for which they are kept unused. */
async function renew(transaction: Kysely<Tables>, hashes: readonly string[], at: string): Promise<string[]> {
  const rows = await transaction
    .selectFrom('site_contents')
    .select(['hash', 'unused_since'])
    .where('hash', 'in', hashes)
    .execute()
  const unused = rows.filter(({ unused_since: since }) => since !== null).map(({ hash }) => hash)
  if (unused.length > 0) {
    await transaction.updateTable('site_contents').set({ unused_since: at }).where('hash', 'in', unused).execute()
  }
  return rows.map(({ hash }) => hash)
}

/** Inserts new contents, in few statements, because each takes a round trip to PostgreSQL. Returns the new ones. */
async function insertNew(
  transaction: Kysely<Tables>,
  contents: readonly NewSiteContent[],
  { objects, at }: { readonly objects: ReadonlyMap<string, string>; readonly at: string },
): Promise<readonly NewSiteContent[]> {
  const fresh = await listNew(transaction, contents)
  if (fresh.length === 0) return []
  const rows = fresh.map(({ hash, sizeBytes, bodies }) => ({
    hash,
    size_bytes: sizeBytes,
    identity_bytes: bodies.identity?.length ?? null,
    br_bytes: bodies.br?.length ?? null,
    gzip_bytes: bodies.gzip?.length ?? null,
    unused_since: at,
    object: objects.get(hash) ?? null,
  }))
  await transaction.insertInto('site_contents').values(rows).execute()
  await insertParts(
    transaction,
    fresh.filter(({ hash }) => !objects.has(hash)),
  )
  const sizes = fresh.map(({ bodies }) => Object.values(bodies).reduce((sum, body) => sum + body.length, 0))
  await addToTotals(transaction, {
    contents: fresh.length,
    size_bytes: fresh.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    stored_bytes: sizes.reduce((sum, size) => sum + size, 0),
  })
  return fresh
}

/** Bytes and parts per statement. */
const partBytesAtOnce = 4 * sitePartBytes
const partsAtOnce = 200

async function insertParts(
  transaction: Kysely<Tables>,
  contents: readonly Pick<NewSiteContent, 'hash' | 'bodies'>[],
): Promise<void> {
  let rows: Tables['site_parts'][] = []
  let bytesOfRows = 0
  const flush = async () => {
    if (rows.length > 0) await transaction.insertInto('site_parts').values(rows).execute()
    rows = []
    bytesOfRows = 0
  }
  for (const { hash, bodies } of contents) {
    for (const encoding of siteEncodings) {
      const body = bodies[encoding]
      if (!body) continue
      for (let start = 0, part = 0; start < body.length || part === 0; start += sitePartBytes, part++) {
        const bytes = body.subarray(start, start + sitePartBytes)
        if (rows.length === partsAtOnce || bytesOfRows + bytes.length > partBytesAtOnce) await flush()
        rows.push({ hash, encoding, part, bytes })
        bytesOfRows += bytes.length
      }
    }
  }
  await flush()
}

export function toStoredFile(row: SiteContentRow & { readonly path: string }): StoredSiteFile {
  const lengths = { identity: row.identity_bytes, br: row.br_bytes, gzip: row.gzip_bytes }
  const bodies = Object.fromEntries(Object.entries(lengths).filter(([, bytes]) => bytes !== null))
  return { path: row.path, hash: row.hash, sizeBytes: row.size_bytes, bodies }
}

/** Site paths are relative, so no request or repository file can have these paths. */
const prefix = '/pictures/'

/** Whether a file of a build is not a file of its site: a screenshot. */
export function isMadeOfSite(path: string): boolean {
  return path.startsWith('/')
}

/** The methods of `Store.sites` for screenshots, which are files of their build. */
export function createMadeOfSite(
  database: StoreDatabase,
  { sources, bucket }: { readonly sources: RecordSources; readonly bucket: SiteBucket | undefined },
  findFile: (of: BuildFiles, path: string) => Promise<StoredSiteFile | undefined>,
) {
  return {
    /**
     * Stores the screenshots of a build and sets their URLs on its record. Both are removed with the build. False if the build no
     * longer exists or already has screenshots.
     */
    async addScreenshots(statusId: string, pictures: Readonly<Record<ScreenshotTheme, SiteScreenshot>>) {
      const contents = screenshotThemes.map((theme) => pictures[theme].content)
      return await writeContents(database, { sources, bucket }, contents, async (insert, transaction) => {
        const build = await findBuild(transaction, statusId)
        const stored = await findUpdate(transaction, statusId)
        if (!build || stored?.update.endedAt === undefined || stored.update.screenshot !== undefined) return false
        await insert()
        const hashes = contents.map(({ hash }) => hash)
        await changeStored(transaction, { projectId: build.project_id, hashes, sign: 1 })
        for (const theme of screenshotThemes) {
          const row = { build_id: build.id, audience: 'public', path: prefix + theme, hash: pictures[theme].content.hash }
          await transaction.insertInto('site_files').values(row).execute()
        }
        const [light, dark] = [pictures.light.url, pictures.dark.url]
        const shown = { ...stored.update, screenshot: light, screenshotLight: light, screenshotDark: dark }
        await replaceEnded(transaction, shown)
        return true
      })
    },

    /** A screenshot of a record's build, for `readBody`. */
    async findScreenshot(statusId: string, name: ScreenshotTheme) {
      const build = await findBuild(database.reader, statusId)
      return build && (await findFile(publicFilesOf(build), prefix + name))
    },
  }
}

/** Removes the screenshots from a record, unless the deleted build belongs to an attempt that never ended. */
export async function clearMadeOfSite(transaction: Kysely<Tables>, statusId: string): Promise<void> {
  if (await findBuild(transaction, statusId)) return
  const stored = await findUpdate(transaction, statusId)
  if (stored?.update.endedAt === undefined) return
  const { screenshot, screenshotLight: _light, screenshotDark: _dark, ...update } = stored.update
  if (screenshot === undefined) return
  await replaceEnded(transaction, update)
}

async function findBuild(database: Kysely<Tables>, statusId: string) {
  const update = await database.selectFrom('updates').select(['project_id', 'sha']).where('id', '=', statusId).executeTakeFirst()
  if (!update) return undefined
  return await selectBuilds(database)
    .where('site_builds.project_id', '=', update.project_id)
    .where('site_builds.sha', '=', update.sha)
    .where('site_builds.state', '=', 'whole')
    .where('site_builds.update_id', '=', statusId)
    .executeTakeFirst()
}

/** Keeps its state and its position in all lists. */
async function replaceEnded(transaction: Kysely<Tables>, update: EndedUpdate): Promise<void> {
  await transaction
    .updateTable('updates')
    .set((expression) => ({ revision: expression('revision', '+', 1), record: JSON.stringify(update) }))
    .where('id', '=', update._id)
    .execute()
}
