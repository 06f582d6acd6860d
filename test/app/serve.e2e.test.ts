import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { settings, toVariable } from '../../src/app/base/config/settings.ts'
import { createProgram } from '../../src/app/commands/app-program.ts'
import { appCommandNames } from '../../src/cli/base/command-line.ts'
import { openSqliteStore } from '../../src/store/store.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runApp } from './support/run-app.ts'
import { addProject, addToken, addUpdate } from './support/test-app.ts'

// `bin/serve.js`, which `npm start` runs, is started by `newcomers.test.ts`.
const servePath = join(import.meta.dirname, '../../bin/serve.js')

/** Starts the server, and ends it with the test. */
function serve(env: Record<string, string>) {
  const app = runApp(['serve'], { PORT: '0', ...env })
  onTestFinished(() => void app.child.kill('SIGKILL'))
  const address = async () => (await app.waitFor(/"address":"(http:[^"]+)"/))[1] ?? ''
  return { ...app, address }
}

describe('openapi-pages-app serve', () => {
  test('starts without a GitHub App, writes the setup URL to a file, and exits with 0 on SIGTERM', async () => {
    const dataDir = join(makeTemporaryFolder(), 'data')
    const app = serve({ DATA_DIR: dataDir })
    const address = await app.address()
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const [, path = ''] = await app.waitFor(/open the setup URL in this file:\s+(\S+)/)
    expect([path, statSync(path).mode & 0o777]).toEqual([join(dataDir, 'setup-url.txt'), 0o600])
    const setup = readFileSync(path, 'utf8').trim()
    expect(setup).toMatch(/^http:\/\/localhost:\d+\/setup\?key=[\w-]{32}$/)
    expect((await fetch(setup.replace('localhost', '127.0.0.1'))).status).toBe(200)
    // Containers and services log both streams.
    expect(app.output.stdout + app.output.stderr).not.toMatch(/key=|[\w-]{32}$/m)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    await app.waitFor(/The database can be read and written/)
    app.child.kill('SIGTERM')
    expect(await app.ended).toBe(0)
    for (const line of app.output.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  })

  test('finishes open requests and accepts no new ones when stopping', async () => {
    const dataDir = makeTemporaryFolder()
    const metricsToken = 'm'.repeat(32)
    const app = serve({ DATA_DIR: dataDir, METRICS_TOKEN: metricsToken })
    const address = await app.address()
    const readMetrics = async () => {
      return await (await fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })).text()
    }
    const store = await openSqliteStore({ path: join(dataDir, 'openapi-pages.sqlite') })
    const project = await addProject(store)
    const { text } = await addToken(store, { scope: 'read', projectId: project.id })
    const update = await addUpdate(store, project, { details: { trigger: 'api' } })
    await store.close()
    const waiting = fetch(`${address}/v1/project/update-status/${update._id}`, {
      headers: { Authorization: `Bearer ${text}`, Prefer: 'wait=60' },
    })
    await expect.poll(readMetrics).toMatch(/openapi_pages_http_waiting 1/)
    app.child.kill('SIGINT')
    expect((await waiting).status).toBe(200)
    expect(await app.ended).toBe(0)
    await expect(fetch(`${address}/healthz`)).rejects.toThrow()
  })

  test('stops without waiting for incomplete requests', async () => {
    const app = serve({ DATA_DIR: makeTemporaryFolder(), STOP_TIMEOUT_SECONDS: '600' })
    const { hostname, port } = new URL(await app.address())
    const starts = [
      '',
      'GET /healthz HTTP/1.1\r\nHost: a\r\n',
      'POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na=',
    ]
    for (const start of starts) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      socket.write(start)
    }
    // The server handles this request after the bytes of the others.
    await fetch(`http://${hostname}:${port}/healthz`)
    app.child.kill('SIGTERM')
    expect(await app.ended).toBe(0)
    expect(app.output.stdout).toContain('"msg":"Stopped"')
  })

  test.each([
    ['emptied', (path: string) => truncateSync(path)],
    ['removed', (path: string) => rmSync(path)],
  ])('does not start with an %s database file', async (_name, lose) => {
    const dataDir = makeTemporaryFolder()
    const path = join(dataDir, 'openapi-pages.sqlite')
    await (await openSqliteStore({ path })).close()
    lose(path)
    const app = serve({ DATA_DIR: dataDir })
    expect(await app.ended).toBe(2)
    expect(app.output.stderr).toMatch(/cannot open the store .*: the file is (empty|missing)/)
    expect(app.output.stderr).toContain(`Restore a backup to ${path}. To start with an empty store instead, remove ${path}.id`)
    rmSync(`${path}.id`)
    await serve({ DATA_DIR: dataDir }).address()
  })

  test('says that the disk is full at the first start, and starts once there is space', async () => {
    const dataDir = join(makeTemporaryFolder(), 'data')
    const preload = pathToFileURL(join(import.meta.dirname, '../support/full-disk.mjs')).href
    const app = serve({ DATA_DIR: dataDir, NODE_OPTIONS: `--import=${preload}`, FULL_DISK: dataDir, FULL_DISK_BYTES: '10' })
    expect(await app.ended).toBe(2)
    expect(app.output.stderr).toMatch(/cannot write: no space left on device\n\s*Free some disk space/)
    await serve({ DATA_DIR: dataDir }).address()
  })

  test('rejects the database of another server but accepts a backup', async () => {
    const dataDir = makeTemporaryFolder()
    const path = join(dataDir, 'openapi-pages.sqlite')
    const store = await openSqliteStore({ path })
    await store.backup(join(dataDir, 'backup.sqlite'))
    await store.close()
    await (await openSqliteStore({ path: join(dataDir, 'other.sqlite') })).close()
    copyFileSync(join(dataDir, 'other.sqlite'), path)
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      message: expect.stringContaining('the file was replaced with another store'),
      hint: expect.stringContaining(`${path}.id`),
    })
    copyFileSync(join(dataDir, 'backup.sqlite'), path)
    await (await openSqliteStore({ path })).close()
  })

  test('loses no data on kill -9', async () => {
    const dataDir = makeTemporaryFolder()
    const first = serve({ DATA_DIR: dataDir })
    await first.address()
    const store = await openSqliteStore({ path: join(dataDir, 'openapi-pages.sqlite') })
    const project = await addProject(store)
    const { text } = await addToken(store, { scope: 'read', projectId: project.id })
    await store.close()
    first.child.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    const second = serve({ DATA_DIR: dataDir })
    const response = await fetch(`${await second.address()}/v1/project/${project.id}/updates`, {
      headers: { Authorization: `Bearer ${text}` },
    })
    expect(await response.json()).toEqual({ updates: [] })
  })

  test('exits with 2 on invalid settings, lists all errors, and creates no files', async () => {
    const dataDir = join(makeTemporaryFolder(), 'data')
    const app = serve({ DATA_DIR: dataDir, PORT: 'x', BASE_URL: 'y' })
    expect(await app.ended).toBe(2)
    expect(app.output.stderr).toContain('openapi-pages: cannot start: 2 errors in the settings')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('reports that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const address = other.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const app = serve({ DATA_DIR: makeTemporaryFolder(), PORT: String(port) })
    expect(await app.ended).toBe(2)
    expect(app.output.stderr).toContain(`cannot listen on 127.0.0.1:${port}: the port is in use`)
  })

  test.each([[['--help']], [['serve', '--help']], [['-h']]])('%j lists every setting', async (args) => {
    const app = runApp(args, {})
    expect(await app.ended).toBe(0)
    for (const name of Object.keys(settings)) expect(app.output.stdout).toContain(toVariable(name))
  })

  test.each([
    [['serv'], /unknown command serv\n {2}Did you mean `serve`\?/],
    [['serve', '--prot', '1'], /unknown option --prot for `serve`/],
  ])('rejects %j', async (args, message) => {
    const app = runApp(args, {})
    expect(await app.ended).toBe(2)
    expect(app.output.stderr).toMatch(message)
  })

  test('rejects an old Node.js version before loading other modules', () => {
    const preload = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.0'}})"
    const { status, stderr } = spawnSync(process.execPath, ['--import', preload, servePath], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('openapi-pages requires Node.js 22.19 or a later 22.x release')])
  })
})

test('the CLI lists and forwards every command of the app', () => {
  const { commands } = createProgram({ env: {}, onEnd: () => undefined })
  expect(commands.map((command) => command.name())).toEqual(appCommandNames)
  const program = readFileSync(join(import.meta.dirname, '../../bin/openapi-pages.cjs'), 'utf8')
  for (const name of appCommandNames) expect(program).toContain(`'${name}'`)
})
