import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findChromium } from '../../../src/app/publish/find-chromium.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A machine with only these programs in one folder. */
function makeMachine(programs: readonly string[], { platform = 'win32' as NodeJS.Platform, env = {} } = {}) {
  const folder = makeTemporaryFolder()
  for (const path of programs) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '{}')
    chmodSync(join(folder, path), 0o755)
  }
  const inFolder = Object.fromEntries(Object.entries(env).map(([key, path]) => [key, join(folder, String(path))]))
  return {
    folder,
    machine: {
      platform,
      env: inFolder,
      isRoot: false,
      installFolders: [join(folder, 'installed')],
    },
  }
}

const unset = { chromiumPath: undefined, chromiumSandbox: 'on' } as const

test.each([
  [
    'prefers Chromium to Chrome on the PATH',
    ['bin/google-chrome', 'bin/chromium'],
    { platform: 'linux', env: { PATH: 'bin' } },
    'bin/chromium',
  ],
  [
    'prefers Chrome to Edge on the PATH',
    ['bin/microsoft-edge', 'bin/google-chrome'],
    { platform: 'linux', env: { PATH: 'bin' } },
    'bin/google-chrome',
  ],
  ['finds Edge on the PATH', ['bin/microsoft-edge'], { platform: 'linux', env: { PATH: 'bin' } }, 'bin/microsoft-edge'],
  [
    'finds Chrome that Windows installed for all users',
    ['Programs/Google/Chrome/Application/chrome.exe', 'Programs/Microsoft/Edge/Application/msedge.exe'],
    { env: { PROGRAMFILES: 'Programs' } },
    'Programs/Google/Chrome/Application/chrome.exe',
  ],
  [
    'finds Chrome that Windows installed for one user',
    ['Local/Google/Chrome/Application/chrome.exe'],
    { env: { PROGRAMFILES: 'Programs', LOCALAPPDATA: 'Local' } },
    'Local/Google/Chrome/Application/chrome.exe',
  ],
  [
    'finds the Edge that comes with Windows',
    ['Programs86/Microsoft/Edge/Application/msedge.exe'],
    { env: { 'PROGRAMFILES(X86)': 'Programs86' } },
    'Programs86/Microsoft/Edge/Application/msedge.exe',
  ],
] as const)('%s', (_title, programs, options, expected) => {
  const { folder, machine } = makeMachine(programs, options)
  expect(findChromium(unset, machine)).toEqual({
    kind: 'found',
    path: join(folder, expected),
    isSandboxed: true,
  })
})

test('finds Chrome among the applications of macOS', () => {
  const path = 'installed/Google Chrome.app/Contents/MacOS/Google Chrome'
  const { folder, machine } = makeMachine([path], { platform: 'darwin' })
  expect(findChromium(unset, machine)).toMatchObject({ kind: 'found', path: join(folder, path) })
})

test('explains what to install if there is no browser', () => {
  const { machine } = makeMachine([])
  expect(findChromium(unset, machine)).toEqual({
    kind: 'unusable',
    reason: 'no Chromium, Chrome or Edge was found',
    fix: expect.stringContaining('apt-get install chromium'),
  })
})

test('CHROMIUM_PATH takes precedence, and nothing replaces a broken one', () => {
  const { folder, machine } = makeMachine(['bin/chromium', 'mine/chromium'], { platform: 'linux', env: { PATH: 'bin' } })
  writeFileSync(join(folder, 'text'), '', { mode: 0o644 })
  const set = (path: string) => findChromium({ ...unset, chromiumPath: join(folder, path) }, machine)
  expect(set('mine/chromium')).toMatchObject({ kind: 'found', path: join(folder, 'mine/chromium') })
  for (const broken of ['text', 'mine', 'missing'])
    expect(set(broken)).toMatchObject({
      kind: 'unusable',
      reason: `CHROMIUM_PATH is \`${join(folder, broken)}\`, which is not an executable file`,
    })
  expect(findChromium({ ...unset, chromiumPath: 'off' }, machine)).toEqual({ kind: 'off' })
})

test('requires root to disable the sandbox explicitly', () => {
  const { machine } = makeMachine(['bin/chromium'], { platform: 'linux', env: { PATH: 'bin' } })
  const asRoot = { ...machine, isRoot: true }
  expect(findChromium(unset, asRoot)).toMatchObject({ kind: 'unusable', fix: expect.stringContaining('CHROMIUM_SANDBOX=off') })
  expect(findChromium({ ...unset, chromiumSandbox: 'off' }, asRoot)).toMatchObject({ kind: 'found', isSandboxed: false })
})
