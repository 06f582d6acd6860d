import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe } from 'vitest'
import { openSqliteStore } from '../../../src/store/store.ts'
import { describeProjectData } from '../store-contract.ts'

const endings: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

describe('SQLite: data of projects', () =>
  describeProjectData(async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
    endings.push(() => rmSync(folder, { recursive: true, force: true }))
    const openAgain = async () => {
      const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), ...options })
      endings.push(() => store.close())
      return store
    }
    return { store: await openAgain(), openAgain }
  }))
