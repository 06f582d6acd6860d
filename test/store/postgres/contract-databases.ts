import { afterAll, afterEach, beforeAll } from 'vitest'
import { openPostgresStore, type Store } from '../../../src/store/store.ts'
import { startTestDatabases } from '../../support/postgres.ts'
import type { OpenStore } from '../store-fixture.ts'

/** Databases with the schema, for the tests of one group. They are deleted after each test. */
export function useDatabases() {
  const databases = startTestDatabases()
  const templates = startTestDatabases()
  /** Closed after each test. */
  const opened: Store[] = []
  let template = ''
  beforeAll(async () => {
    template = await templates.createDatabase()
    await (await openPostgresStore({ url: template })).close()
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    await databases.deleteDatabases()
  })
  afterAll(() => templates.stop())

  const createDatabase = () => databases.createDatabase(template)
  const openStore: OpenStore = async (options) => {
    const url = await createDatabase()
    const open = async () => {
      const store = await openPostgresStore({ url, leaseNow: options.now, ...options })
      opened.push(store)
      return store
    }
    return { store: await open(), openAgain: open }
  }
  return { opened, createDatabase, openStore }
}
