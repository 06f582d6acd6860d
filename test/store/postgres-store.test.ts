import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, describe } from 'vitest'
import { openPostgresStore } from '../../src/store/open-postgres-store.ts'
import type { Store } from '../../src/store/types.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { describeStore } from './store-contract.ts'

describe.skipIf(!hasPostgres)('the contract of the store', () => {
  const databases = hasPostgres ? startTestDatabases() : undefined
  const opened: Store[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  afterAll(() => databases?.stop())

  describeStore('PostgreSQL', async (options) => {
    if (!databases) throw new Error('PostgreSQL is missing')
    const url = await databases.createDatabase()
    const open = async () => {
      const store = await openPostgresStore({ url, ...options })
      opened.push(store)
      return store
    }
    return { store: await open(), openAgain: open, settle: () => setTimeout(1_000) }
  })
})
