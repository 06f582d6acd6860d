import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const program = join(import.meta.dirname, '../../bin/openapi-pages.cjs')
const document = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets: { get: { summary: List pets, responses: { '200': { description: Pets } } } }
`

/** Starts a preview, for as long as the test runs. */
async function startPreview(files: Readonly<Record<string, string>>, ...words: string[]) {
  const cwd = makeTemporaryFolder(files)
  const preview = spawn(process.execPath, [program, 'preview', ...words, '-p', '0', '--boundary', '.'], { cwd })
  onTestFinished(() => void preview.kill())
  let output = ''
  for (const stream of [preview.stdout, preview.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  }
  const ended = new Promise((resolve) => preview.once('close', resolve))
  const said = (words: RegExp) => vi.waitFor(() => expect(output).toMatch(words), { timeout: 120_000 })
  await said(/ at http:\S+/)
  const address = / at (http:\S+)/.exec(output)?.[1] ?? ''
  const readPage = async () => (await fetch(address)).text()
  const stop = () => {
    preview.kill('SIGINT')
    return ended
  }
  return { cwd, said, readPage, stop, output: () => output }
}

test('tolerates that an editor briefly removes the document while saving', async () => {
  const { cwd, said, readPage, stop } = await startPreview({ 'api.yaml': document }, 'api.yaml')
  expect(await readPage()).toContain('Pets')
  renameSync(join(cwd, 'api.yaml'), join(cwd, 'away.yaml'))
  await said(/Cannot read `api\.yaml`: no such file/)
  expect(await readPage()).toContain('Pets')
  renameSync(join(cwd, 'away.yaml'), join(cwd, 'api.yaml'))
  await said(/all errors fixed/)
  expect(await stop()).toBe(0)
})

test('prints each diagnostic of a page once, and again if it comes back', async () => {
  const { cwd, said, readPage, output } = await startPreview({
    'docs.json': '{"name": "Pets", "navigation": {"pages": ["index", "other"]}}',
    'index.mdx': '[a](/gone)\n',
    'other.mdx': '# Other\n',
  })
  const times = () => output().split('Unexpected link to `/gone`').length - 1
  await readPage()
  await said(/Unexpected link/)
  writeFileSync(join(cwd, 'other.mdx'), '# Others\n')
  await said(/other\.mdx changed/)
  await readPage()
  writeFileSync(join(cwd, 'index.mdx'), 'Nothing\n')
  await said(/index\.mdx changed/)
  await readPage()
  expect(times()).toBe(1)
  writeFileSync(join(cwd, 'index.mdx'), '[a](/gone)\n')
  await vi.waitFor(async () => {
    await readPage()
    expect(times()).toBe(2)
  }, 120_000)
})
