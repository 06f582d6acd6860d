import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { StoreError } from './store-error.ts'
import type { Tables } from './tables.ts'

/** The file beside a store that names it. */
function toIdentityPath(path: string): string {
  return `${path}.id`
}

/**
 * Refuses to make a new store where there was one before: its file was removed or emptied, and an empty store would hide the loss.
 *
 * @throws {StoreError}
 */
export function refuseLostStore(path: string): void {
  const identity = toIdentityPath(path)
  const isLost = !existsSync(path) || statSync(path).size === 0
  if (!isLost || !existsSync(identity)) return
  throw new StoreError(
    `Cannot open the store ${path}: the file is ${existsSync(path) ? 'empty' : 'missing'}, and there was a store`,
    {
      hint: `restore a backup to ${path}; to start with an empty store instead, remove ${identity}`,
    },
  )
}

/**
 * Names a new store, in itself and in the file beside it, and compares the two names of a known one. A backup has the name of its store.
 *
 * @throws {StoreError} when another store has taken the place of the file.
 */
export async function settleIdentity(database: Kysely<Tables>, path: string, newId: string): Promise<void> {
  const ofStore = await database.transaction().execute(async (transaction) => {
    const row = { name: 'identity', value: newId }
    const known = await transaction.selectFrom('facts').select('value').where('name', '=', row.name).executeTakeFirst()
    if (!known) await transaction.insertInto('facts').values(row).execute()
    return known?.value ?? newId
  })
  const file = toIdentityPath(path)
  if (!existsSync(file)) {
    writeFileSync(file, `${ofStore}\n`, { mode: 0o600, flush: true })
  } else if (readFileSync(file, 'utf8').trim() !== ofStore) {
    throw new StoreError(`Cannot open the store ${path}: another store has replaced the one that was here`, {
      hint: `put the file back, or a backup of it; to keep the store that is there now, remove ${file}`,
    })
  }
}
