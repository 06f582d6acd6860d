import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createCheckpoints } from '../../../src/store/sqlite/sqlite-database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

function openDatabase(folder: string) {
  const path = join(folder, 'store.db')
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = WAL; pragma wal_autocheckpoint = 0; create table numbers (number integer)')
  database.exec('pragma wal_checkpoint(truncate)')
  const checkpoints = createCheckpoints(path)
  const commit = () => {
    database.exec('insert into numbers values (1)')
    checkpoints.countCommit()
  }
  /** Reads the file without its log. */
  const countCopied = () => {
    const copy = join(folder, 'copy.db')
    copyFileSync(path, copy)
    const opened = new DatabaseSync(copy)
    try {
      return opened.prepare('select count(*) as count from numbers').get()?.['count']
    } finally {
      opened.close()
    }
  }
  return { database, checkpoints, commit, countCopied }
}

test('copies the commits of a busy process into the database', async () => {
  const { database, checkpoints, commit, countCopied } = openDatabase(makeTemporaryFolder())
  for (let number = 0; number < 10; number++) commit()
  await vi.waitFor(() => expect(countCopied()).toBe(10), 10_000)
  for (let number = 0; number < 10; number++) commit()
  await vi.waitFor(() => expect(countCopied()).toBe(20), 10_000)
  await checkpoints.close()
  database.close()
})

test('leaves the few commits of a command in the log', async () => {
  const { database, checkpoints, commit, countCopied } = openDatabase(makeTemporaryFolder())
  for (let number = 0; number < 9; number++) commit()
  await checkpoints.close()
  expect(countCopied()).toBe(0)
  database.close()
})

test('ignores a thread that cannot open the database', async () => {
  const checkpoints = createCheckpoints(join(makeTemporaryFolder(), 'missing', 'store.db'))
  for (let number = 0; number < 30; number++) checkpoints.countCommit()
  await checkpoints.close()
})
