import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findChromium } from '../../../src/app/pictures/find-chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'find-chromium-'))
afterAll(() => rmSync(folder, { recursive: true }))
const program = join(folder, 'chromium')
writeFileSync(program, '')
chmodSync(program, 0o755)
const text = join(folder, 'text')
writeFileSync(text, '', { mode: 0o644 })

test.each([
  ['off', { chromiumPath: 'off', chromiumSandbox: 'on' }, { kind: 'off' }],
  ['on the PATH', { chromiumPath: undefined, chromiumSandbox: 'on' }, { kind: 'found', path: program, isSandboxed: true }],
  ['where it is said', { chromiumPath: program, chromiumSandbox: 'off' }, { kind: 'found', path: program, isSandboxed: false }],
  ['no program', { chromiumPath: text, chromiumSandbox: 'on' }, { kind: 'unusable', reason: expect.stringContaining(text) }],
  ['a folder', { chromiumPath: folder, chromiumSandbox: 'on' }, { kind: 'unusable', reason: expect.stringContaining(folder) }],
] as const)('%s', (_what, config, found) => {
  expect(findChromium(config, { searchPath: folder, isRoot: false })).toMatchObject(found)
})

test('root has no sandbox, and has to say that it does without', () => {
  const asRoot = (chromiumSandbox: 'on' | 'off') =>
    findChromium({ chromiumPath: program, chromiumSandbox }, { searchPath: '', isRoot: true })
  expect(asRoot('on')).toMatchObject({ kind: 'unusable', fix: expect.stringContaining('CHROMIUM_SANDBOX=off') })
  expect(asRoot('off')).toMatchObject({ kind: 'found' })
})
