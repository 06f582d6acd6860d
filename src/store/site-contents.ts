import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../status/types.ts'
import { chunk, type StoreContext, toTime } from './store-context.ts'
import {
  addToTotals,
  type NewSiteContent,
  type ScreenshotName,
  type SiteEncoding,
  type SiteStore,
  type StoredSiteFile,
  screenshotThemes,
  selectBuilds,
  sitePartBytes,
} from './stored-sites.ts'
import type { SiteContentRow, Tables } from './tables.ts'
import { findUpdate, type UpdateDetails } from './update-rows.ts'

const encodings = ['identity', 'br', 'gzip'] as const satisfies readonly SiteEncoding[]

/** Hashes per statement: databases limit the number of parameters. */
const hashBatchSize = 500

/** Contents per transaction: each takes several statements, which block the process. */
const contentBatchSize = 100

/** The parts of `SiteStore` about contents. */
export function createSiteContents({ write, reader, now }: StoreContext) {
  return {
    async findMissing(hashes) {
      const missing: string[] = []
      for (const some of chunk([...new Set(hashes)], hashBatchSize)) {
        const known = new Set(await write((transaction) => renew(transaction, some, toTime(now()))))
        missing.push(...some.filter((hash) => !known.has(hash)))
      }
      return missing
    },

    async addContents(contents) {
      for (const some of chunk(contents, contentBatchSize)) {
        await write(async (transaction) => {
          for (const content of some) await insertContent(transaction, content, toTime(now()))
        })
      }
    },

    async *readBody(hash, encoding, first = 0) {
      for (let part = first; ; part++) {
        const row = await reader
          .selectFrom('site_parts')
          .select('bytes')
          .where('hash', '=', hash)
          .where('encoding', '=', encoding)
          .where('part', '=', part)
          .executeTakeFirst()
        if (row) yield row.bytes
        if (!row || row.bytes.length < sitePartBytes) return
      }
    },
  } satisfies Partial<SiteStore>
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

async function insertContent(
  transaction: Kysely<Tables>,
  { hash, sizeBytes, bodies }: NewSiteContent,
  at: string,
): Promise<void> {
  const lengthOf = (encoding: SiteEncoding) => bodies[encoding]?.length ?? null
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('site_contents')
    .values({
      hash,
      size_bytes: sizeBytes,
      identity_bytes: lengthOf('identity'),
      br_bytes: lengthOf('br'),
      gzip_bytes: lengthOf('gzip'),
      unused_since: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return
  let storedBytes = 0
  for (const encoding of encodings) {
    const body = bodies[encoding]
    if (!body) continue
    storedBytes += body.length
    for (let start = 0, part = 0; start < body.length || part === 0; start += sitePartBytes, part++) {
      const bytes = body.subarray(start, start + sitePartBytes)
      await transaction.insertInto('site_parts').values({ hash, encoding, part, bytes }).execute()
    }
  }
  await addToTotals(transaction, { contents: 1, size_bytes: sizeBytes, stored_bytes: storedBytes })
}

export function toStoredFile(row: SiteContentRow & { readonly path: string }): StoredSiteFile {
  const lengths = { identity: row.identity_bytes, br: row.br_bytes, gzip: row.gzip_bytes }
  const bodies = Object.fromEntries(Object.entries(lengths).filter(([, bytes]) => bytes !== null))
  return { path: row.path, hash: row.hash, sizeBytes: row.size_bytes, bodies }
}

/** Site paths are relative, so no request or repository file can have this prefix. */
const prefix = '/pictures/'

export function isScreenshotPath(path: string): boolean {
  return path.startsWith(prefix)
}

/** The methods of `SiteStore` for screenshots, which are files of their build. */
export function createSiteScreenshots({ write, reader, now }: StoreContext) {
  return {
    async addScreenshots(statusId, pictures) {
      return await write(async (transaction) => {
        const build = await findBuild(transaction, statusId)
        const stored = await findUpdate(transaction, statusId)
        if (!build || stored?.update.endedAt === undefined || stored.update.screenshot !== undefined) return false
        for (const theme of screenshotThemes) {
          const { content } = pictures[theme]
          await insertContent(transaction, content, toTime(now()))
          const row = { build_id: build.id, path: prefix + theme, hash: content.hash }
          await transaction.insertInto('site_files').values(row).execute()
        }
        const [light, dark] = [pictures.light.url, pictures.dark.url]
        const shown = { ...stored.update, screenshot: light, screenshotLight: light, screenshotDark: dark }
        await replaceEnded(transaction, shown, stored.details)
        return true
      })
    },

    async addComparison(statusId, comparison, files) {
      return await write(async (transaction) => {
        const build = await findBuild(transaction, statusId)
        const stored = await findUpdate(transaction, statusId)
        const state = stored?.details.comparison?.state
        if (!build || stored?.update.endedAt === undefined || state === 'taken' || state === 'failed') return false
        for (const { name, hash } of files) {
          await transaction
            .insertInto('site_files')
            .values({ build_id: build.id, path: prefix + name, hash })
            .execute()
        }
        await replaceEnded(transaction, stored.update, { ...stored.details, comparison })
        return true
      })
    },

    async findScreenshot(statusId, name: ScreenshotName) {
      const build = await findBuild(reader, statusId)
      if (!build) return undefined
      const row = await reader
        .selectFrom('site_files')
        .innerJoin('site_contents', 'site_contents.hash', 'site_files.hash')
        .selectAll('site_contents')
        .select('site_files.path')
        .where('site_files.build_id', '=', build.id)
        .where('site_files.path', '=', prefix + name)
        .executeTakeFirst()
      return row && toStoredFile(row)
    },
  } satisfies Partial<SiteStore>
}

/** Removes the screenshots from a record, unless the deleted build belongs to an attempt that never ended. */
export async function clearScreenshots(transaction: Kysely<Tables>, statusId: string): Promise<void> {
  if (await findBuild(transaction, statusId)) return
  const stored = await findUpdate(transaction, statusId)
  if (stored?.update.endedAt === undefined) return
  const { screenshot, screenshotLight: _light, screenshotDark: _dark, ...update } = stored.update
  const { comparison, ...details } = stored.details
  if (screenshot === undefined && comparison === undefined) return
  await replaceEnded(transaction, update, details)
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
async function replaceEnded(transaction: Kysely<Tables>, update: EndedUpdate, details: UpdateDetails): Promise<void> {
  await transaction
    .updateTable('updates')
    .set((expression) => ({
      revision: expression('revision', '+', 1),
      record: JSON.stringify(update),
      details: JSON.stringify(details),
    }))
    .where('id', '=', update._id)
    .execute()
}
