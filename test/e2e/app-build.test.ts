import { spawn } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { brokenDocument, docsConfig, validDocument } from '../app/support/connected-app.ts'
import { untilIdle } from '../support/app-scenario.ts'
import { toAppSettings } from '../support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const project = join(import.meta.dirname, '../..')

test('the built package runs updates in child processes', async () => {
  const folder = makeTemporaryFolder({ 'package.json': '{ "type": "module" }' })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'dir')
  // `pretest` has built it.
  for (const part of ['build/server', 'build/app']) cpSync(join(project, part), join(folder, part), { recursive: true })
  writeFileSync(
    join(folder, 'serve.js'),
    `import { main } from './build/server/main.js'\nprocess.exitCode = await main(['serve'])\n`,
  )

  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const child = spawn(process.execPath, [join(folder, 'serve.js')], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_FORMAT: 'json',
      // Tests end the app at such points; a variable that was left behind must not.
      OPENAPI_PAGES_FAULT: 'run.finished',
      ...toAppSettings(github),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { address: found, msg } = JSON.parse(line)
      if (msg === 'Ready') resolve(found)
    })
    ended.then(() => reject(new Error('The app ended before it was ready')))
  })
  github.webhookUrl = `${address}/api/github/webhooks`
  const repository = github.createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
  await repository.push({ files: { 'openapi.yaml': brokenDocument } })
  const { updates } = await untilIdle(join(folder, 'data'))
  expect(updates).toMatchObject([{ update: { status: 'failure' } }])
  expect(repository.checkRuns).toMatchObject([{ conclusion: 'failure', annotations: [{ start_line: 8 }] }])
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  github.assertNoUnexpectedRequests()
})
