import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import tar from 'tar-stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toOwnPath } from '../../../src/files/boundary.ts'
import {
  type ArchiveLimits,
  createArchiveFiles,
  isReadByUpdate,
  readArchive,
  toArchivePath,
} from '../../../src/github/repositories/archives.ts'
import type { GitHubClient } from '../../../src/github/requests/github-client.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import type { FakeGitHub } from '../../support/fake-github/fake-github.ts'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { createGitHubApp } from '../../support/github-app.ts'
import { failureOf } from '../../support/github-failure.ts'

const name = { owner: 'acme', repo: 'api' }

let github: FakeGitHub
let repository: FakeRepository
let client: GitHubClient
let folder: string
beforeEach(async () => {
  github = await startCheckedGitHub()
  repository = github.createRepository('acme/api', {
    files: {
      'docs.json': '{}',
      'openapi/pets.yaml': 'openapi: 3.1.0\n',
      'openapi/deep/er/ünïcode 漢字.yaml': 'a: 1\n',
      [`long/${'x'.repeat(120)}/${'y'.repeat(120)}.json`]: '[]',
      'logo.png': Buffer.alloc(3_000, 1),
      'run.sh': { content: '#!/bin/sh\n', mode: '100755' },
    },
  })
  client = createGitHubApp(github).installation(repository.installation?.id ?? 0)
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = async (
  over: { target?: string; limits?: Partial<ArchiveLimits>; keep?: (path: string) => boolean; sha?: string } = {},
) => {
  const { target = mkdtempSync(join(folder, 'files-')), sha = repository.tipOf('main'), ...options } = over
  const unpacked = { folder: toOwnPath(target), archive: await readArchive(client, name, sha, toOwnPath(target), options) }
  return { ...unpacked.archive, files: createArchiveFiles(unpacked, options.limits?.fileBytes) }
}
const textOf = async (files: Awaited<ReturnType<typeof read>>['files'], path: string) => {
  const result = await files.read(path)
  return result.kind === 'file' ? Buffer.from(result.bytes).toString() : result
}

type Entry = Partial<tar.Header> & { readonly name: string } & { readonly content?: string | Buffer }

/** An archive with entries that git would never create. */
async function pack(entries: readonly Entry[], top = 'acme-api-1234567'): Promise<Buffer> {
  const stream = tar.pack()
  for (const { content, ...header } of entries) stream.entry({ ...header, name: `${top}/${header.name}` }, content ?? '')
  stream.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array) // It yields buffers.
  return gzipSync(Buffer.concat(chunks))
}
const serve = (bytes: Uint8Array) => repository.tarballs.set(repository.tipOf('main'), bytes)

describe('the archive of a commit', () => {
  test('reads its files into a folder', async () => {
    const archive = await read({ target: join(folder, 'files') })
    expect(archive.kept.toSorted()).toEqual([
      'docs.json',
      `long/${'x'.repeat(120)}/${'y'.repeat(120)}.json`,
      'openapi/deep/er/ünïcode 漢字.yaml',
      'openapi/pets.yaml',
    ])
    expect(archive.leftOut.toSorted()).toEqual(['logo.png', 'run.sh'])
    expect(archive.refused).toEqual([])
    expect(await textOf(archive.files, 'openapi/pets.yaml')).toBe('openapi: 3.1.0\n')
    expect(await textOf(archive.files, './openapi/deep/../deep/er/ünïcode 漢字.yaml')).toBe('a: 1\n')
    expect(await archive.files.list('openapi')).toEqual(['openapi/deep/er/ünïcode 漢字.yaml', 'openapi/pets.yaml'])
    expect(await archive.files.read('openapi')).toEqual({ kind: 'folder' })
    expect(await archive.files.read('')).toEqual({ kind: 'folder' })
    expect(await archive.files.read('nothing.yaml')).toEqual({ kind: 'missing' })
    expect(await archive.files.read('../docs.json')).toEqual({ kind: 'outside' })
    expect(await archive.files.read('logo.png')).toMatchObject({ kind: 'unreadable' })
    expect(readFileSync(join(folder, 'files/openapi/pets.yaml'), 'utf8')).toBe('openapi: 3.1.0\n')
  })

  test('reads an archive of git completely', async () => {
    const work = join(folder, 'work')
    mkdirSync(join(work, 'deep', 'a'.repeat(90), 'b'.repeat(90)), { recursive: true })
    const files: { readonly [path: string]: string } = {
      'docs.json': '{}',
      'ünïcode 漢字.yaml': 'a: 1\n',
      [`deep/${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(90)}.yaml`]: 'deep: true\n',
      'empty.yaml': '',
      'large.json': JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index)),
    }
    for (const [path, content] of Object.entries(files)) writeFileSync(join(work, path), content)
    symlinkSync('docs.json', join(work, 'link.json'))
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main', ...args], {
        cwd: work,
      })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'Start')
    serve(gzipSync(execFileSync('git', ['archive', '--prefix=acme-api-1234567/', 'HEAD'], { cwd: work, maxBuffer: 1024 ** 3 })))
    const archive = await read()
    expect(archive.refused).toEqual([])
    expect(archive.kept.toSorted()).toEqual(Object.keys(files).sort())
    for (const [path, content] of Object.entries(files)) expect(await textOf(archive.files, path)).toBe(content)
    expect(await textOf(archive.files, 'link.json')).toBe('{}')
  })

  test('reads the files of an older commit', async () => {
    const first = repository.tipOf('main')
    repository.commit({ files: { 'docs.json': '{"name":"new"}' } })
    expect(await textOf((await read({ sha: first })).files, 'docs.json')).toBe('{}')
    expect(await textOf((await read()).files, 'docs.json')).toBe('{"name":"new"}')
  })

  test('does not send the token to another host', async () => {
    await read()
    expect(github.archives.refused).toEqual([])
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')[0]?.headers['authorization']).toMatch(/^token ghs_/)
  })

  test('reports a missing commit', async () => {
    const error = await failureOf(read({ sha: 'f'.repeat(40) }))
    expect(error.message).toBe('Cannot read archive on `acme/api`@`fffffff`: 404 Not Found')
  })

  test('follows links by name inside the archive and never creates them', async () => {
    repository.commit({
      files: {
        'docs/openapi.yaml': { content: '../openapi/pets.yaml', mode: '120000' },
        'docs/specs': { content: '../openapi', mode: '120000' },
        'docs/out.yaml': { content: '../../etc/passwd.yaml', mode: '120000' },
        'docs/root.yaml': { content: '/etc/passwd', mode: '120000' },
        'docs/a.yaml': { content: 'b.yaml', mode: '120000' },
        'docs/b.yaml': { content: 'a.yaml', mode: '120000' },
        'docs/gone.yaml': { content: 'nothing.yaml', mode: '120000' },
      },
    })
    const target = join(folder, 'files')
    const { files } = await read({ target })
    expect(await textOf(files, 'docs/openapi.yaml')).toBe('openapi: 3.1.0\n')
    expect(await textOf(files, 'docs/specs/pets.yaml')).toBe('openapi: 3.1.0\n')
    expect(await files.read('docs/specs')).toEqual({ kind: 'folder' })
    expect(await files.read('docs/out.yaml')).toEqual({ kind: 'outside' })
    expect(await files.read('docs/root.yaml')).toEqual({ kind: 'outside' })
    expect(await files.read('docs/a.yaml')).toEqual({ kind: 'unreadable', reason: 'its symbolic links form a cycle' })
    expect(await files.read('docs/gone.yaml')).toEqual({ kind: 'missing' })
    expect(await files.list('docs')).toEqual(['docs/openapi.yaml'])
    expect(readdirSync(target).sort()).toEqual(['docs.json', 'long', 'openapi'])
  })

  test('keeps only the files that the caller selects', async () => {
    expect((await read({ keep: (path) => path === 'logo.png' })).kept).toEqual(['logo.png'])
  })

  test.each([
    ['openapi.yaml', true],
    ['a/B.YML', true],
    ['docs.json', true],
    ['a/page.mdx', true],
    ['.gitignore', true],
    ['a/.gitignore', true],
    ['docs/.mintignore', true],
    ['image.svg', false],
    ['src/main.ts', false],
    ['yaml', false],
  ])('%s is read by an update: %s', (path, expected) => expect(isReadByUpdate(path)).toBe(expected))

  test('returns plain data for a worker', async () => {
    const target = join(folder, 'files')
    const { files: _files, ...extracted } = await read({ target })
    const copy = JSON.parse(JSON.stringify(extracted)) as typeof extracted
    const files = createArchiveFiles({ folder: toOwnPath(target), archive: copy })
    expect(await textOf(files, 'docs.json')).toBe('{}')
  })
})

describe('a hostile archive', () => {
  test('refuses each entry that is not a plain file with a valid name, and reads the rest', async () => {
    serve(
      await pack([
        { name: 'good.yaml', content: 'a: 1' },
        { name: '../../escape.yaml', content: 'x' },
        { name: 'a/../../../escape.yaml', content: 'x' },
        { name: 'a//b.yaml', content: 'x' },
        { name: './b.yaml', content: 'x' },
        { name: 'nul\u0007.yaml', content: 'x' },
        { name: 'C:/windows.yaml', content: 'x' },
        { name: 'a\\..\\b.yaml', content: 'x' },
        { name: '.git/config.yaml', content: 'x' },
        { name: 'sub/.GIT/hooks.yaml', content: 'x' },
        { name: 'sub/.g\u200Cit/hooks.yaml', content: 'x' },
        { name: 'git~1/config.yaml', content: 'x' },
        { name: 'hard.yaml', type: 'link', linkname: '/etc/passwd' },
        { name: 'char.yaml', type: 'character-device' },
        { name: 'block.yaml', type: 'block-device' },
        { name: 'pipe.yaml', type: 'fifo' },
        { name: 'good.yaml', content: 'second' },
        { name: 'GOOD.yaml', content: 'third' },
        { name: 'e\u0301.yaml', content: 'first' },
        { name: '\u00E9.yaml', content: 'second' },
        { name: 'good.yaml/inside.yaml', content: 'x' },
        { name: 'folder/inside.yaml', content: 'x' },
        { name: 'Folder', type: 'symlink', linkname: '/tmp' },
        { name: `${'n'.repeat(300)}.yaml`, content: 'x' },
        { name: 'last.yaml', content: 'b: 2' },
      ]),
    )
    const target = join(folder, 'files')
    const archive = await read({ target })
    expect(archive.kept).toEqual(['good.yaml', 'e\u0301.yaml', 'folder/inside.yaml', 'last.yaml'])
    expect(archive.refusedCount).toBe(21)
    expect(archive.refused.map(({ reason }) => reason)).toEqual([
      'its path points outside the archive',
      'its path points outside the archive',
      'its path has an empty segment',
      'its path has an empty segment',
      'its name contains a control character',
      'its path contains a drive letter',
      'its name contains a backslash',
      'its path contains `.git`',
      'its path contains `.git`',
      'its path contains `.git`',
      'its path contains `.git`',
      'it is a hard link',
      'it is not a file (character-device)',
      'it is not a file (block-device)',
      'it is not a file (fifo)',
      'another entry has the same name, or one that differs only in case',
      'another entry has the same name, or one that differs only in case',
      'another entry has the same name, or one that differs only in case',
      'its directory is a file',
      'a directory has the same name',
      'its name is too long',
    ])
    expect(await textOf(archive.files, 'good.yaml')).toBe('a: 1')
    expect(readdirSync(target, { recursive: true }).map(String).sort()).toEqual(
      ['e\u0301.yaml', 'folder', 'folder/inside.yaml', 'good.yaml', 'last.yaml'].sort(),
    )
    expect(existsSync(join(folder, 'escape.yaml'))).toBe(false)
  })

  test.each([
    ['/etc/passwd', 'its path is absolute'],
    ['..', 'its path points outside the archive'],
    ['../x', 'its path points outside the archive'],
    ['top/..', 'its path points outside the archive'],
    ['top/a\u0000b', 'its name contains a control character'],
    ['top/a\nb', 'its name contains a control character'],
    ['top/.git ', 'its path contains `.git`'],
    ['top/.git.', 'its path contains `.git`'],
    ['top/.git::$INDEX_ALLOCATION/x', 'its path contains `.git`'],
    ['top/\uFFFD.yaml', 'its name is not UTF-8'],
    [`top/${'a/'.repeat(3_000)}b`, 'its path is too long'],
  ])('refuses the name %j', (entry, reason) => expect(toArchivePath(entry)).toEqual({ kind: 'refused', reason }))

  test.each([
    ['top', { kind: 'top' }],
    ['top/', { kind: 'top' }],
    ['top/.github/x.yaml', { kind: 'path', path: '.github/x.yaml' }],
    ['top/.gitignore', { kind: 'path', path: '.gitignore' }],
    ['top/a..b', { kind: 'path', path: 'a..b' }],
    ['top/…', { kind: 'path', path: '…' }],
  ])('accepts the name %j', (entry, expected) => expect(toArchivePath(entry)).toEqual(expected))

  test('accepts names of object properties', async () => {
    serve(
      await pack([
        { name: '__proto__.yaml', content: 'a' },
        { name: '__proto__', type: 'symlink', linkname: '__proto__.yaml' },
      ]),
    )
    const { files } = await read()
    expect(await textOf(files, '__proto__')).toBe('a')
    expect(await files.read('constructor')).toEqual({ kind: 'missing' })
  })

  test.each<[string, Partial<ArchiveLimits>, string]>([
    ['compressed bytes', { compressedBytes: 100 }, 'it exceeds the limit of 100 compressed bytes'],
    ['expanded bytes', { expandedBytes: 2_000 }, 'it exceeds the limit of 2,000 uncompressed bytes'],
    ['entries', { entries: 3 }, 'it exceeds the limit of 3 entries'],
    ['kept files', { keptFiles: 2 }, 'it exceeds the limit of 2 documents and pages'],
    ['kept bytes', { keptBytes: 10 }, 'it exceeds the limit of 10 bytes of documents and pages'],
  ])('refuses an archive over the limit of %s, with the reason', async (_title, limits, reason) => {
    const target = join(folder, 'files')
    const error = await failureOf(read({ limits, target }))
    expect(error.message).toBe(`Cannot read the archive: ${reason}`)
    expect(error).toMatchObject({ failure: 'refused' })
    expect(existsSync(target)).toBe(false)
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(1)
  })

  test('stops an archive bomb early', async () => {
    serve(gzipSync(Buffer.alloc(120 * 1024 ** 2)))
    const before = process.memoryUsage.rss()
    expect(await failureOf(read())).toMatchObject({ failure: 'refused' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(80 * 1024 ** 2)
  })

  test('stops a bomb inside a file by its ratio', async () => {
    serve(await pack([{ name: 'bomb.yaml', content: Buffer.alloc(40 * 1024 ** 2, 'a') }]))
    const error = await failureOf(read())
    expect(error.message).toBe('Cannot read the archive: it exceeds the limit of 250 times its compressed size')
  })

  test('leaves out a file over the limit and reports it when it is read', async () => {
    serve(
      await pack([
        { name: 'large.yaml', content: Buffer.alloc(2_000, 'a') },
        { name: 'small.yaml', content: 'a: 1' },
      ]),
    )
    const { files, kept } = await read({ limits: { fileBytes: 1_000 } })
    expect(kept).toEqual(['small.yaml'])
    expect(await files.read('large.yaml')).toEqual({ kind: 'too-large', sizeBytes: 2_000, limitBytes: 1_000 })
  })

  test.each([
    ['no gzip', Buffer.from('<html>Not an archive</html>'.repeat(40))],
    ['gzip of no tar', gzipSync(Buffer.from('x'.repeat(5_000)))],
  ])('refuses %s', async (_title, bytes) => {
    serve(bytes)
    expect(await failureOf(read())).toMatchObject({ failure: 'refused' })
  })
})

describe('a lost connection', () => {
  test('fails as unreachable after three attempts and leaves no files', async () => {
    github.archives.cutAfterBytes = 200
    const target = join(folder, 'files')
    const error = await failureOf(read({ target }))
    expect(error).toMatchObject({ failure: 'unreachable' })
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(3)
    expect(existsSync(target)).toBe(false)
  })

  test('stops when the caller aborts', async () => {
    const stop = AbortSignal.timeout(20)
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', delayMs: 600_000 })
    // A request that goes on would exceed the time limit of tests.
    const target = toOwnPath(join(folder, 'files'))
    await expect(readArchive(client, name, repository.tipOf('main'), target, { signal: stop })).rejects.toThrow()
  })
})
