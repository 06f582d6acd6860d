import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runBin } from '../support/run-bin.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const valid = `{"openapi": "3.1.1", "info": {"title": "A", "version": "1"}, "paths": {}}`
const user = process.getuid?.() ?? 'compiled'

/** A folder for what is kept, and a run of the program that keeps it there. */
function prepare() {
  const [folder, kept] = [makeTemporaryFolder(), makeTemporaryFolder()]
  writeFileSync(join(folder, 'a.json'), valid)
  const check = (env: Readonly<Record<string, string>> = {}, command = 'check') =>
    runBin([command, 'a.json'], { cwd: folder, env: { TMPDIR: kept, ...env } })
  const listFiles = () =>
    readdirSync(kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  return { kept, check, listFiles }
}

const answer = { code: 0, stdout: '✔ a.json is valid (OpenAPI 3.1.1, 0 operations)\n', stderr: '' }

test('the first runs keep what was compiled, for this user alone, and later ones leave it as it is', async () => {
  const { kept, check, listFiles } = prepare()
  for (let run = 0; run < 3; run++) expect(await check()).toEqual(answer)
  const [file = '', ...others] = listFiles()
  expect(others).toEqual([])
  expect(file.startsWith(join(kept, `openapi-pages-${user}`))).toBe(true)
  if (process.getuid) {
    expect(statSync(join(kept, `openapi-pages-${user}`)).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
  const before = [readFileSync(file), statSync(file).mtimeMs]
  expect(await check()).toEqual(answer)
  expect([readFileSync(file), statSync(file).mtimeMs]).toEqual(before)
  expect(listFiles()).toEqual([file])
})

test('runs with other flags of V8 keep their own', async () => {
  const [folder, kept] = [makeTemporaryFolder(), makeTemporaryFolder()]
  const padding = ' '.repeat(70_000)
  writeFileSync(join(folder, 'small.json'), valid)
  writeFileSync(join(folder, 'large.json'), valid + padding)
  writeFileSync(join(folder, 'large.yaml'), `openapi: 3.1.1\ninfo: {title: A, version: '1'}\npaths: {}\n#${padding}\n`)
  const names = ['small.json', 'large.json', 'large.yaml']
  const check = (name: string) => runBin(['check', name], { cwd: folder, env: { TMPDIR: kept } })
  for (const name of names) for (let run = 0; run < 3; run++) expect(await check(name)).toMatchObject({ code: 0, stderr: '' })
  const times = () =>
    readdirSync(kept, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(kept, name)).mtimeMs])
  const before = times()
  for (const name of names) await check(name)
  expect(times()).toEqual(before)
})

test.each([
  ['empty', (_: Buffer) => Buffer.alloc(0)],
  ['of one byte', (_: Buffer) => Buffer.of(1)],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ['of another program', (bytes: Buffer) => Buffer.concat([Buffer.from('other'), bytes])],
])('a kept file that is %s does no harm and is replaced', async (_, damage) => {
  const { check, listFiles } = prepare()
  await check()
  const [file = ''] = listFiles()
  const damaged = damage(readFileSync(file))
  writeFileSync(file, damaged)
  expect(await check()).toEqual(answer)
  expect(readFileSync(file).length).toBeGreaterThan(damaged.length === 0 ? 0 : 1_000)
  expect(readFileSync(file).equals(damaged)).toBe(false)
})

test('a flipped bit anywhere in a kept file does no harm and is mended', async () => {
  const { check, listFiles } = prepare()
  await check()
  const [file = ''] = listFiles()
  const whole = readFileSync(file)
  for (const share of [0.01, 0.2, 0.45, 0.7, 0.99]) {
    const damaged = Buffer.from(whole)
    const at = Math.floor(damaged.length * share)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at)
    writeFileSync(file, damaged)
    expect(await check()).toEqual(answer)
    const mended = readFileSync(file)
    expect(mended.equals(damaged)).toBe(false)
    // Kept anew, as in a first run, and not with the code that could not be trusted.
    expect(mended.at(-1)).toBe(1)
  }
})

describe('what earlier versions of the program have kept', () => {
  /** The name of the folder of a version, as the program makes it. */
  const nameOf = (digit: number, node = 'v24.1.0-x64') => `${String(digit).repeat(32)}-${node}`

  function prepareVersions(names: readonly string[]) {
    const { kept, check } = prepare()
    const top = join(kept, `openapi-pages-${user}`)
    mkdirSync(top, { mode: 0o700 })
    names.forEach((name, index) => {
      mkdirSync(join(top, name, 'check-short'), { recursive: true })
      writeFileSync(join(top, name, 'check-short/index.js'), 'kept')
      utimesSync(join(top, name), 1_000 + index, 1_000 + index)
    })
    const listOthers = () => readdirSync(top).filter((name) => names.includes(name))
    return { top, check, listOthers }
  }

  test('is removed when a new version keeps something, but for the newest four', async () => {
    const names = [nameOf(1), nameOf(2, 'v22.19.0-arm64'), nameOf(3), nameOf(4), nameOf(5, 'v25.0.0-nightly2026-x64'), nameOf(6)]
    const { top, check, listOthers } = prepareVersions(names)
    expect(await check()).toEqual(answer)
    expect(listOthers()).toEqual(names.slice(2))
    expect(readdirSync(top)).toHaveLength(5)
  })

  test('stays while the version that runs has kept something before', async () => {
    const { top, check, listOthers } = prepareVersions([])
    await check()
    for (const digit of [1, 2, 3, 4, 5, 6]) mkdirSync(join(top, nameOf(digit)))
    for (let run = 0; run < 3; run++) expect(await check()).toEqual(answer)
    expect(await check({}, 'openapi-check')).toEqual(answer)
    expect(readdirSync(top)).toHaveLength(7)
    expect(listOthers()).toEqual([])
  })

  test('is all that is removed: nothing of another name, and nothing that a link leads to', async () => {
    const foreign = ['mine', `${nameOf(7)}.bak`, `x${nameOf(7)}`, '7'.repeat(32), `${'7'.repeat(16)}-v24.1.0-x64`]
    const versions = [nameOf(1), nameOf(2), nameOf(3), nameOf(4), nameOf(5)]
    const { top, check, listOthers } = prepareVersions([...foreign, ...versions])
    const elsewhere = makeTemporaryFolder({ 'a.txt': 'a' })
    symlinkSync(elsewhere, join(top, nameOf(8)))
    writeFileSync(join(top, nameOf(9)), 'a file')
    expect(await check()).toEqual(answer)
    expect(listOthers()).toEqual([...foreign, ...versions.slice(1)].toSorted())
    expect([existsSync(join(elsewhere, 'a.txt')), existsSync(join(top, nameOf(8))), existsSync(join(top, nameOf(9)))]).toEqual([
      true,
      true,
      true,
    ])
  })

  test('is removed by many first runs at once, none of which says a word', async () => {
    const { check, listOthers } = prepareVersions(Array.from({ length: 9 }, (_, index) => nameOf(index)))
    const runs = await Promise.all(Array.from({ length: 6 }, () => check()))
    expect(runs).toEqual(runs.map(() => answer))
    expect(listOthers()).toEqual([5, 6, 7, 8].map((digit) => nameOf(digit)))
  })
})

test.skipIf(!process.getuid)(
  'nothing is read from or written to a folder that others can write to, nor through a link',
  async () => {
    const { kept, check, listFiles } = prepare()
    const top = join(kept, `openapi-pages-${user}`)
    mkdirSync(top)
    chmodSync(top, 0o777)
    expect(await check()).toEqual(answer)
    expect(listFiles()).toEqual([])

    const linked = prepare()
    symlinkSync(makeTemporaryFolder(), join(linked.kept, `openapi-pages-${user}`))
    expect(await linked.check()).toEqual(answer)
    expect(linked.listFiles()).toEqual([])
  },
)

test('nothing is kept where Node is told to keep nothing, or nothing can be written', async () => {
  const { check, listFiles } = prepare()
  expect(await check({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(answer)
  expect(await check({ TMPDIR: '/dev/null/nowhere' })).toEqual(answer)
  expect(listFiles()).toEqual([])
})
