import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts'
import type { Store } from '../../src/store/types.ts'
import { describeStore } from './store-contract.ts'

const opened: Store[] = []
const folders: string[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describeStore('SQLite', async (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  folders.push(folder)
  const open = async (path: string) => {
    const store = await openSqliteStore({ path, ...options })
    opened.push(store)
    return store
  }
  const path = join(folder, 'store.sqlite')
  return { store: await open(path), openAgain: () => open(path), openBackup: open, backupPath: join(folder, 'backup.sqlite') }
})
