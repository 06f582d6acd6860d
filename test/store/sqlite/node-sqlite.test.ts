import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectSqlite, prepareSqlite, toErrorCode, withoutSqliteWarning } from '../../../src/store/sqlite/node-sqlite.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

function connect(path = join(makeTemporaryFolder(), 'a.sqlite'), { readOnly = false } = {}) {
  const connection = connectSqlite(path, { readOnly, busyTimeoutMs: 0 })
  onTestFinished(() => connection.close())
  return connection
}

test('drops only the warning that Node 22 emits about SQLite', () => {
  const messages: string[] = []
  const record: typeof process.emitWarning = (warning) => void messages.push(String(warning))
  const { emitWarning } = process
  onTestFinished(() => {
    process.emitWarning = emitWarning
  })
  process.emitWarning = record
  const value = withoutSqliteWarning(() => {
    // Like `emitExperimentalWarning('SQLite')` in Node 22.
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('Something else is an experimental feature and might change at any time', 'ExperimentalWarning')
    return 'loaded'
  })
  expect(value).toBe('loaded')
  expect(process.emitWarning).toBe(record)
  process.emitWarning('SQLite is an experimental feature, says another module')
  expect(messages).toEqual([
    'Something else is an experimental feature and might change at any time',
    'SQLite is an experimental feature, says another module',
  ])
})

test('restores emitWarning when loading fails', () => {
  const { emitWarning } = process
  expect(() => withoutSqliteWarning(() => expect.unreachable())).toThrow()
  expect(process.emitWarning).toBe(emitWarning)
})

test('returns rows as plain objects and blobs as bytes, even after a schema change', () => {
  const connection = connect()
  connection.exec("create table a (id integer, b blob); insert into a values (1, x'00ff')")
  const statement = prepareSqlite(connection, 'select * from a')
  expect(statement.reader).toBe(true)
  expect(statement.all([])).toStrictEqual([{ id: 1, b: new Uint8Array([0, 255]) }])
  expect([...statement.iterate([])]).toStrictEqual([{ id: 1, b: new Uint8Array([0, 255]) }])
  connection.exec("alter table a add column c text default 'x'")
  expect(statement.all([])).toStrictEqual([{ id: 1, b: new Uint8Array([0, 255]), c: 'x' }])
  const insert = prepareSqlite(connection, 'insert into a (id) values (?)')
  expect(insert.reader).toBe(false)
  expect(insert.run([2n])).toEqual({ changes: 1, lastInsertRowid: 2 })
  expect(prepareSqlite(connection, 'insert into a (id) values (3) returning id').all([])).toStrictEqual([{ id: 3 }])
  // Rejected instead of rounded.
  expect(() => prepareSqlite(connection, 'select 9007199254740993').all([])).toThrow('too large')
})

test('names the result codes of SQLite', () => {
  const codeOf = (work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      return toErrorCode(error)
    }
  }
  const folder = makeTemporaryFolder()
  const path = join(folder, 'a.sqlite')
  const [first, second] = [connect(path), connect(path)]
  first.exec('create table a (id integer primary key); insert into a values (1)')
  // An extended code.
  expect(codeOf(() => first.exec('insert into a values (1)'))).toBe('SQLITE_CONSTRAINT')
  first.exec('begin immediate')
  expect(codeOf(() => second.exec('begin immediate'))).toBe('SQLITE_BUSY')
  first.exec('rollback')
  expect(codeOf(() => connect(path, { readOnly: true }).exec('insert into a values (2)'))).toBe('SQLITE_READONLY')
  first.exec('pragma max_page_count = 1')
  expect(codeOf(() => first.exec('insert into a select zeroblob(9000)'))).toBe('SQLITE_MISMATCH')
  expect(codeOf(() => first.exec('create table b (c)'))).toBe('SQLITE_FULL')
  expect(codeOf(() => connect(folder))).toBe('SQLITE_CANTOPEN')
  writeFileSync(join(folder, 'text'), 'x'.repeat(5_000))
  expect(codeOf(() => connect(join(folder, 'text')))).toBe('SQLITE_NOTADB')
  expect(codeOf(() => writeFileSync(folder, ''))).toBe('EISDIR')
  expect(codeOf(() => prepareSqlite(first, 'select ?').all([undefined]))).toBe(undefined)
  expect(toErrorCode('SQLITE_FULL')).toBe(undefined)
})

test('reads a name such as file:a as a path, not as a URI', () => {
  const folder = makeTemporaryFolder()
  const directory = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(directory))
  const connection = connect('file:a?mode=memory')
  expect(connection.location()).toBe(join(folder, 'file:a?mode=memory'))
})
