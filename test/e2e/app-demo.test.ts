import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askSite } from '../app/support/sites.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const demo = join(import.meta.dirname, '../../scripts/demo.mjs')

// Without `--keep`, it ends after the same steps.
test('`npm run demo -- app --keep --verbose` runs all steps, shows the results and cleans up', async () => {
  const temporary = makeTemporaryFolder()
  const child = spawn(process.execPath, [demo, 'app', '--keep', '--verbose'], {
    cwd: temporary,
    env: { PATH: process.env['PATH'], TMPDIR: temporary, NO_COLOR: '1', CHROMIUM_PATH: join(temporary, 'none') },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (data) => {
    stderr += data
  })
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      child.stdout.on('data', (data) => {
        stdout += data
        if (stdout.includes('Press Ctrl-C to stop.')) resolve()
      })
    }),
  ])
  expect(stderr).toBe('')
  const [, base = ''] = /the dashboard +(http:\S+)\/projects/.exec(stdout) ?? []
  const { port } = new URL(base)
  for (const label of ['acme-docs', 'acme-docs--pr-1']) {
    expect(stdout).toContain(`http://${label}.localhost:${port}/\n`)
    const site = await askSite(base, `${label}.localhost:${port}`, '/')
    expect([site.status, site.text]).toEqual([200, expect.stringContaining('<title>Petstore')])
  }
  expect(stdout).toContain('not available: CHROMIUM_PATH')
  // The links of the comment to lines of files, and one that the fake GitHub does not serve.
  const lines = [...new Set(stdout.match(/http:\/\/127\.0\.0\.1:\d+\/acme\/docs\/blob\/[^)#]+#L\d+/g))]
  expect(lines.length).toBeGreaterThan(1)
  for (const url of lines) {
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`<li id="${new URL(url).hash.slice(1)}">`)
  }
  expect((await fetch(new URL('/settings', lines[0]))).status).toBe(404)
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(stdout).not.toContain('✖ failed')
  // The output of `$ curl` is the whole record.
  const record = JSON.parse(/^ {2}│ (\{"_id".*\})$/m.exec(stdout)?.[1] ?? '{}')
  expect(record).toMatchObject({ commit: { message: expect.any(String) }, logs: expect.any(Array) })
  for (const shown of [
    'queued',
    'in_progress',
    'success',
    'failure',
    '$ curl -H',
    'Check on GitHub',
    '**API documentation: 1 error**',
    '**API documentation: fixed**',
    'Changelog of the site',
  ])
    expect(stdout).toContain(shown)
  expect(stdout).toMatch(/✔ All checks passed/)
  expect(readdirSync(temporary)).toEqual([])
})

test('rejects an unknown option', () => {
  const { status, stderr } = spawnSync(process.execPath, [demo, 'app', '--kepp'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('unexpected --kepp, expected `npm run demo -- app [--keep]')])
})
