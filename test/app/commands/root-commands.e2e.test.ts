import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseFileName } from '../../../src/app/base/open-store.ts'
import { sqlite } from '../../../src/store/sqlite/node-sqlite.ts'
import { openSqliteStore } from '../../../src/store/store.ts'
import { toCommand } from '../../support/bundled-programs.ts'
import { compileCache } from '../../support/compile-cache.ts'
import { readTimes, readTree } from '../../support/read-tree.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

// An administrator runs commands as root on a data directory whose owner, the user of the server, may have been taken over.

/** The user of the server. It needs no account. */
const server = 65_534

/** A copy of the program, because other users may not be able to open the clone. The same in all tests, so that it is compiled once. */
let program = ''
let folder = ''
let dataDir = ''
/** Files of root that the server can name but neither read nor write. */
let ofRoot = ''

beforeAll(() => {
  const parent = mkdtempSync(join(tmpdir(), 'openapi-pages-program-'))
  chmodSync(parent, 0o755)
  program = join(parent, 'main.js')
  copyFileSync(programOf(toCommand([])), program)
  writeFileSync(join(parent, 'package.json'), '{"type": "module"}')
})
afterAll(() => rmSync(dirname(program), { recursive: true }))

beforeEach(async () => {
  folder = makeTemporaryFolder({ 'root/secret': 'root:secret\n' })
  ofRoot = join(folder, 'root')
  dataDir = join(folder, 'data')
  chmodSync(folder, 0o755)
  chmodSync(ofRoot, 0o755)
  chmodSync(join(ofRoot, 'secret'), 0o600)
  await (await openSqliteStore({ path: join(dataDir, databaseFileName) })).close()
  own(dataDir)
})

function programOf(args: readonly string[]): string {
  return fileURLToPath(/file:[^"]+/.exec(args.join(' '))?.[0] ?? '')
}

function own(path: string): void {
  chownSync(path, server, server)
  for (const name of readdirSync(path))
    if (!lstatSync(join(path, name)).isSymbolicLink()) chownSync(join(path, name), server, server)
}

function run(...words: string[]) {
  const args = toCommand(words).map((text) => text.replace(programOf(toCommand([])), program))
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...compileCache },
  })
  return { code: status, stdout, stderr }
}

function setIdentity(value: string): void {
  const database = new sqlite.DatabaseSync(join(dataDir, databaseFileName))
  database.prepare("update facts set value = ? where name = 'identity'").run(value)
  database.close()
}

const snapshot = () => [readTree(ofRoot), readTimes(ofRoot)]

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('a command becomes the owner of the data directory, and reports it', () => {
    rmSync(join(dataDir, `${databaseFileName}.id`))
    expect(run('token', 'list')).toEqual({
      code: 0,
      stdout: expect.stringContaining('No tokens'),
      stderr: `Running as user ${server}, the owner of ${dataDir}, instead of root\n`,
    })
    for (const name of readdirSync(dataDir)) expect([name, statSync(join(dataDir, name)).uid]).toEqual([name, server])
  })

  test('a command stays root if root owns the data directory, and prints help without it', () => {
    expect(run('token', '--help')).toMatchObject({ code: 0, stderr: '' })
    for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))]) chownSync(path, 0, 0)
    expect(run('token', 'list')).toMatchObject({ code: 0, stderr: '' })
  })

  test('migrate-store becomes the owner of the database that --from names', () => {
    const from = `sqlite:${join(dataDir, databaseFileName)}`
    dataDir = join(folder, 'elsewhere')
    expect(run('migrate-store', '--from', from).stderr).toContain(`Running as user ${server}`)
  })

  test('a command becomes the owner of a link to a data directory of root', () => {
    for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))]) chownSync(path, 0, 0)
    chmodSync(dataDir, 0o755)
    symlinkSync('data', join(folder, 'link'))
    lchownSync(join(folder, 'link'), server, server)
    dataDir = join(folder, 'link')
    expect(run('token', 'list').stderr).toContain(`Running as user ${server}`)
  })

  test('a command becomes the owner of a database in a directory that root shares', () => {
    chownSync(dataDir, 0, 0)
    chmodSync(dataDir, 0o1777)
    expect(run('token', 'list').stderr).toContain(`Running as user ${server}`)
  })

  const names = ['', '.id', '-wal', '-shm'].map((suffix) => `${databaseFileName}${suffix}`)
  test.each([...names, 'link.key', 'github-app.json', 'openapi-pages.app.yaml', 'backups'])(
    'no command reads or writes through the link %s',
    (name) => {
      if (name.endsWith('.id')) setIdentity('* * * * * root id')
      for (const target of name === 'backups' ? ['.', 'planted'] : ['secret', 'planted']) {
        rmSync(join(dataDir, name), { recursive: true, force: true })
        symlinkSync(join(ofRoot, target), join(dataDir, name))
        own(dataDir)
        const before = snapshot()
        for (const words of [
          ['token', 'list'],
          ['backup', join(dataDir, 'backups/today')],
        ]) {
          const { stdout, stderr } = run(...words)
          expect(stdout + stderr + Object.values(readTree(dataDir)).join()).not.toContain('root:secret')
          expect([words, snapshot()]).toEqual([words, before])
        }
      }
    },
  )

  test('a backup belongs to the owner of the data directory, and root creates no directory for it', () => {
    expect(run('backup', join(dataDir, 'backups/today'))).toMatchObject({ code: 0 })
    expect(statSync(join(dataDir, 'backups/today', databaseFileName)).uid).toBe(server)
    expect(run('backup', join(ofRoot, 'today'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name a directory that this user can create'),
    })
    const owned = join(ofRoot, 'backups')
    mkdirSync(owned, { mode: 0o700 })
    chownSync(owned, server, server)
    expect(run('backup', join(owned, 'today'))).toMatchObject({ code: 0 })
  })

  test('explains that the owner cannot open the data directory', () => {
    chmodSync(folder, 0o700)
    const { code, stderr } = run('token', 'list')
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /cannot access .*: permission denied \(as user 65534, the owner of the data directory\)\n {2}Run the command as the user of the server/,
      ),
    ])
  })
})
