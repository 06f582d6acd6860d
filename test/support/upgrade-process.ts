import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { sql } from 'kysely'
import { migrations } from '../../src/store/database/migrations.ts'
import { openPostgresStore, openSqliteStore } from '../../src/store/store.ts'
import { futureSteps } from './future-steps.ts'

// A process of a newer version that starts on a store.
//   node upgrade-process.ts <path or URL> [pause]

const [place = '', mode] = process.argv.slice(2)

const steps = [...migrations, ...futureSteps]
if (mode === 'pause') {
  steps.push(async (database) => {
    await database.schema.createTable('half').addColumn('id', 'text').execute()
    writeSync(1, 'in the middle\n')
    await once(process.stdin, 'data')
    await sql`select 1`.execute(database)
  })
}
try {
  const store = await (place.startsWith('postgres:')
    ? openPostgresStore({ url: place, steps })
    : openSqliteStore({ path: place, steps }))
  await store.close()
} catch (error) {
  writeSync(1, `${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
