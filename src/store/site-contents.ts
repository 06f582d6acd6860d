import type { Kysely } from 'kysely'
import { addToTotals } from './site-rows.ts'
import type { NewSiteContent, SiteEncoding, SiteStore, StoredSiteFile } from './site-types.ts'
import { sitePartBytes } from './site-types.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { SiteContentRow, Tables } from './tables.ts'

const encodings = ['identity', 'br', 'gzip'] as const satisfies readonly SiteEncoding[]

/** Hashes of one statement: engines bound how many values one may have. */
const atOnce = 500

/** Contents of one transaction: each is several statements, and nothing else is done in the process meanwhile. */
const contentsAtOnce = 100

/** The parts of `SiteStore` about contents. */
export function createSiteContents({ write, reader, now }: StoreContext) {
  return {
    async findMissing(hashes) {
      const missing: string[] = []
      for (const some of chunk([...new Set(hashes)], atOnce)) {
        const known = new Set(await write((transaction) => renew(transaction, some, toTime(now()))))
        missing.push(...some.filter((hash) => !known.has(hash)))
      }
      return missing
    },

    async addContents(contents) {
      for (const some of chunk(contents, contentsAtOnce)) {
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

/** Those that are here; from now on they are not collected for as long as contents are kept unused. */
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

export async function insertContent(
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

export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))
}
