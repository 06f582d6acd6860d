import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { toAppSettings } from '../support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Starts and stops the app, and prints the URLs of all modules that were loaded. */
const program = `
import { registerHooks } from 'node:module'
import './scripts/jsx-loader.ts'
const urls = []
registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
const { readConfig } = await import('./src/app/base/config/app-config.ts')
const { createLog } = await import('./src/app/base/telemetry/create-log.ts')
const { appParts, startApp } = await import('./src/app/start/start-app.ts')
await import('./src/app/main.ts')
const log = createLog({ level: 'silent', format: 'json', write: () => undefined })
const app = await startApp({ config: await readConfig(process.env), log, parts: appParts })
await app.stop()
process.stdout.write(JSON.stringify(urls), () => process.exit())
`

test('a server without DATABASE_URL loads no client of PostgreSQL or S3', async () => {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: makeTemporaryFolder(),
    PORT: '0',
    CHROMIUM_PATH: 'off',
    ...toAppSettings(github),
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    env,
    maxBuffer: 16 * 1024 * 1024,
  })
  const urls = JSON.parse(stdout) as string[]
  const packages = new Set(urls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? ''))
  expect([...packages]).toEqual(expect.arrayContaining(['fastify', 'kysely', 'probot']))
  const clients = /^(?:pg(?:-|$)|@aws-sdk\/|@smithy\/)/
  expect([...packages].filter((name) => clients.test(name))).toEqual([])
})
