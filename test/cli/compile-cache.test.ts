import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runBin } from '../support/run-bin.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

interface CompileCache {
  findUserCache(env: Readonly<Record<string, string>>, platform: string): string | undefined
  openPrivateFolder(parent: string, name: string, uid: number | undefined): string | undefined
}
// The program loads it before anything that is compiled from TypeScript.
const { findUserCache, openPrivateFolder }: CompileCache = createRequire(import.meta.url)('../../bin/compile-cache.cjs')

const valid = `{"openapi": "3.1.1", "info": {"title": "A", "version": "1"}, "paths": {}}`
const result = { code: 0, stdout: '✔ a.json is valid (OpenAPI 3.1.1, 0 operations)\n', stderr: '' }
const uid = process.geteuid?.()
const hasModes = uid !== undefined

/** A document, an empty folder for caches, and a run of the program that has both. */
function prepare() {
  const [folder, caches] = [makeTemporaryFolder({ 'a.json': valid }), makeTemporaryFolder()]
  // All that decides where the folder is, on each system.
  const places = { HOME: caches, LOCALAPPDATA: caches }
  const cache = findUserCache(places, process.platform) ?? ''
  const check = (env: Readonly<Record<string, string>> = {}) =>
    runBin(['check', 'a.json'], { cwd: folder, env: { ...places, TMPDIR: makeTemporaryFolder(), ...env } })
  return { caches, cache, check }
}

function replace(folder: string, make: () => void): void {
  rmSync(folder, { recursive: true })
  make()
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the program', () => {
  test('caches compiled code in a private folder of the user', async () => {
    const { cache, check } = prepare()
    expect(await check()).toEqual(result)
    const files = listFiles(join(cache, 'compile-cache'))
    expect(files.length).toBeGreaterThan(0)
    if (hasModes) expect(statSync(join(cache, 'compile-cache')).mode & 0o777).toBe(0o700)
    const times = files.map((file) => statSync(file).mtimeMs)
    expect(await check()).toEqual(result)
    expect(listFiles(join(cache, 'compile-cache'))).toEqual(files)
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(times)
  })

  test.runIf(hasModes)('does not use a cache folder prepared by another user', async () => {
    const { cache, check } = prepare()
    mkdirSync(join(cache, 'compile-cache'), { recursive: true })
    chmodSync(join(cache, 'compile-cache'), 0o777)
    expect(await check()).toEqual(result)
    expect(listFiles(cache)).toEqual([])
  })

  test('stores nothing in the temporary folder', async () => {
    const { check } = prepare()
    const temporary = makeTemporaryFolder()
    expect(await check({ TMPDIR: temporary, TMP: temporary, TEMP: temporary })).toEqual(result)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('respects the cache settings of Node.js', async () => {
    const { caches, check } = prepare()
    expect(await check({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(result)
    const named = makeTemporaryFolder()
    expect(await check({ NODE_COMPILE_CACHE: named })).toEqual(result)
    expect(readdirSync(caches)).toEqual([])
    expect(listFiles(named).length).toBeGreaterThan(0)
  })

  test('works without a writable cache folder', async () => {
    const { caches, check } = prepare()
    writeFileSync(join(caches, 'file'), '')
    for (const place of [join(caches, 'file'), 'relative', ''])
      expect(await check({ HOME: place, LOCALAPPDATA: place, XDG_CACHE_HOME: place })).toEqual(result)
    expect(readdirSync(caches)).toEqual(['file'])
  })
})

test('the app caches compiled code in an existing data folder', async () => {
  const [cwd, caches] = [makeTemporaryFolder(), makeTemporaryFolder()]
  const help = (env: Readonly<Record<string, string>>) => runBin(['serve', '--help'], { cwd, env: { HOME: caches, ...env } })
  expect(await help({})).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(cwd)).toEqual([])
  mkdirSync(join(cwd, 'data'))
  expect(await help({})).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(join(cwd, 'data'))).toEqual(['compile-cache'])
  expect(listFiles(join(cwd, 'data')).length).toBeGreaterThan(0)
  expect(readdirSync(caches)).toEqual([])
})

test('no program sets flags of V8 at run time, which would make its compiled code unusable', () => {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ':!dist', ':!test'], {
    cwd: root,
    encoding: 'utf8',
  })
  const programs = files.split('\n').filter((path) => /\.[cm]?[jt]sx?$/.test(path) && existsSync(join(root, path)))
  expect(programs).toContain('bin/openapi-pages.cjs')
  expect(programs.filter((path) => readFileSync(join(root, path), 'utf8').includes('setFlagsFromString'))).toEqual([])
})

describe('the cache folder', () => {
  test('is created with its parents, for the owner only', () => {
    const parent = join(makeTemporaryFolder(), 'a/b')
    const folder = openPrivateFolder(parent, 'c', uid)
    expect(folder).toBe(join(realpathSync(parent), 'c'))
    if (hasModes) for (const path of [folder ?? '', parent]) expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(openPrivateFolder(parent, 'c', uid)).toBe(folder)
  })

  test.runIf(hasModes).each([
    ['is a link', (folder: string) => replace(folder, () => symlinkSync(makeTemporaryFolder(), folder))],
    ['is a file', (folder: string) => replace(folder, () => writeFileSync(folder, ''))],
    ['is writable by its group', (folder: string) => chmodSync(folder, 0o770)],
    ['is writable by all', (folder: string) => chmodSync(folder, 0o702)],
    ['is writable by all, with the sticky bit', (folder: string) => chmodSync(folder, 0o1777)],
    ['is readable by others', (folder: string) => chmodSync(folder, 0o755)],
    ['is in a folder that its group can write to', (folder: string) => chmodSync(join(folder, '..'), 0o770)],
    ['is below a folder that all can write to', (folder: string) => chmodSync(join(folder, '../..'), 0o777)],
  ])('is not used if it %s', (_, spoil) => {
    const parent = join(makeTemporaryFolder(), 'a/b')
    const folder = openPrivateFolder(parent, 'c', uid) ?? ''
    expect(folder).not.toBe('')
    spoil(folder)
    expect(openPrivateFolder(parent, 'c', uid)).toBeUndefined()
  })

  test.runIf(hasModes)('is not used if it belongs to another user', () => {
    const parent = makeTemporaryFolder()
    openPrivateFolder(parent, 'a', uid)
    const other = (uid ?? 0) + 1
    expect(openPrivateFolder(parent, 'a', other)).toBeUndefined()
    // Nor is one made where another user could exchange it.
    expect(openPrivateFolder(parent, 'b', other)).toBeUndefined()
  })

  test.runIf(hasModes)('can be inside a folder with the sticky bit, such as /tmp, and behind a link of the user', () => {
    const shared = makeTemporaryFolder()
    chmodSync(shared, 0o1777)
    expect(openPrivateFolder(join(shared, 'a'), 'b', uid)).toBe(join(realpathSync(shared), 'a/b'))
    const home = makeTemporaryFolder()
    symlinkSync(join(shared, 'a'), join(home, 'link'))
    expect(openPrivateFolder(join(home, 'link'), 'b', uid)).toBe(join(realpathSync(shared), 'a/b'))
  })

  test.each([
    ['linux', { HOME: '/home/a' }, '/home/a/.cache/openapi-pages'],
    ['linux', { HOME: '/home/a', XDG_CACHE_HOME: '/cache' }, '/cache/openapi-pages'],
    ['linux', { HOME: '/home/a', XDG_CACHE_HOME: 'cache' }, '/home/a/.cache/openapi-pages'],
    ['linux', { HOME: '' }, undefined],
    ['linux', {}, undefined],
    ['darwin', { HOME: '/Users/a', XDG_CACHE_HOME: '/cache' }, '/Users/a/Library/Caches/openapi-pages'],
    ['win32', { HOME: '/home/a', LOCALAPPDATA: '/local' }, '/local/openapi-pages'],
    ['win32', { HOME: '/home/a' }, undefined],
  ])('is found on %s from %j', (platform, env: Readonly<Record<string, string>>, expected) => {
    expect(findUserCache(env, platform)).toBe(expected && join(expected))
  })
})
