import { spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const program = join(import.meta.dirname, '../../bin/openapi-pages.js')
const document = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets: { get: { summary: List pets, responses: { '200': { description: Pets } } } }
`

test('a document alone may be gone for a moment, as editors take it away to save it', { timeout: 60_000 }, async () => {
  const cwd = makeTemporaryFolder({ 'api.yaml': document })
  const preview = spawn(process.execPath, [program, 'preview', 'api.yaml', '-p', '0', '--boundary', '.'], { cwd })
  onTestFinished(() => void preview.kill())
  let output = ''
  for (const stream of [preview.stdout, preview.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((resolve) => preview.once('close', resolve))
  const said = (words: RegExp) => vi.waitFor(() => expect(output).toMatch(words), { timeout: 15_000 })
  await said(/ at http:\S+/)
  const address = / at (http:\S+)/.exec(output)?.[1] ?? ''
  const readPage = async () => (await fetch(address)).text()
  expect(await readPage()).toContain('Pets')
  renameSync(join(cwd, 'api.yaml'), join(cwd, 'away.yaml'))
  await said(/Cannot read `api\.yaml`: no such file/)
  expect(await readPage()).toContain('Pets')
  renameSync(join(cwd, 'away.yaml'), join(cwd, 'api.yaml'))
  await said(/all errors are repaired/)
  preview.kill('SIGINT')
  expect(await ended).toBe(0)
})
