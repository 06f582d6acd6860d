import { expect, test } from 'vitest'
import type { Changelog } from '../../../src/changes/compare/changelog.ts'
import { checkDescription } from '../../../src/checks/check-description.ts'
import { checkEntryDocument } from '../../../src/docs/check/run-check.ts'
import { toLoadDocument } from '../../../src/docs/read/find-docs.ts'
import { readAcceptedFile } from '../../../src/docs/read/read-docs-directory.ts'
import type { DocsAccess } from '../../../src/docs/types.ts'
import { type CachedStep, type ChangelogCache, openChangelogSteps, readChangelog } from '../../../src/docs/versions/changelogs.ts'
import { selectVersionTags } from '../../../src/docs/versions/version-tags.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { openGit } from '../../../src/git/git.ts'
import { findEarlierPath, listCommits, listTags, openCommit } from '../../../src/git/revisions.ts'
import { defaultLimits } from '../../../src/text/plain/limits.ts'
import { type GitHistory, makeHistory } from '../../support/git-history.ts'

interface Read {
  readonly from?: 'tags' | 'commits'
  readonly path?: string
  readonly limit?: number
  readonly cache?: ChangelogCache
  readonly isOverTime?: () => boolean
  /** Whether the restricted parts of the document are left out. */
  readonly isPublic?: boolean
  /** An overlay at a URL. */
  readonly overlay?: string
}

const overlayUrl = 'https://example.com/overlay.yaml'

/** Reads the changelog of a document in the work tree, and the number of versions that were opened. */
async function read(history: GitHistory, { from = 'tags', path = 'openapi.yaml', limit = 50, ...rest }: Read = {}) {
  const git = openGit(history.folder)
  const { openDiskFiles } = await import('../../../src/files/disk-files.ts')
  const { overlay } = rest
  const access: DocsAccess = {
    files: openDiskFiles(toOwnPath(history.folder)),
    fetchDocument: async (url) =>
      url === overlayUrl && overlay !== undefined
        ? { kind: 'loaded', bytes: new TextEncoder().encode(overlay) }
        : { kind: 'failed', code: 'url-refused', reason: 'test' },
  }
  const publicOnly = { hides: () => false, hidesSome: false }
  const check = rest.isPublic
    ? await checkDescription(path, toLoadDocument(access, path, defaultLimits), { publicOnly })
    : await checkEntryDocument(path, access, overlay === undefined ? {} : { overlays: [overlayUrl] })
  const tags = async () => {
    const commits = selectVersionTags(await listTags(git), undefined)
    return { commits: commits.slice(0, limit), isCut: commits.length > limit }
  }
  const listed = from === 'tags' ? await tags() : await listCommits(git, [path], limit)
  let opened = 0
  const versions = listed.commits.map((commit) => ({
    name: undefined,
    ...commit,
    url: undefined,
    open() {
      opened += 1
      return openCommit(git, commit.sha)
    },
    findEarlierPath: (at: string, newer: { sha: string } | undefined) =>
      findEarlierPath(git, at, commit.sha, newer?.sha ?? 'HEAD'),
  }))
  const changelog = await readChangelog(
    { path, check },
    { versions, isCut: listed.isCut },
    {
      settings: { levels: {}, stability: 'beta', deprecationDays: { beta: 0, stable: 0 } },
      restrictedBy: 'hide',
      restrictedIn: async () => ({
        overlaysOf: () => [],
        documents: new Set(),
        publicOnly: { hides: () => false, hidesSome: false },
      }),
      limits: defaultLimits,
      accepted: await readAcceptedFile('openapi-pages.accepted.yaml', access.files),
      cache: rest.cache ?? new Map(),
      isOverTime: rest.isOverTime ?? (() => false),
    },
  )
  return { changelog, opened }
}

const show = (changelog: Changelog | undefined) => [
  ...(changelog?.entries ?? []).flatMap(({ name, date, isFirst, changes }) => [
    `${name} ${date?.slice(0, 10) ?? '-'}${isFirst ? ' first' : ''}`,
    ...changes.map(({ level, accepted, code, operations, schemas }) =>
      [
        '',
        ...(accepted ? [`accepted (${accepted.reason})`] : []),
        level,
        code,
        ...operations.map(({ method, path }) => `${method} ${path}`),
        ...schemas,
      ].join(' '),
    ),
  ]),
  ...(changelog?.isCut ? ['cut'] : []),
]

const pets = (version: string, paths: string, schemas = '') =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: ${version}}\npaths:\n${paths}${schemas && `components:\n  schemas:\n${schemas}`}`
const list = "  /pets:\n    get:\n      operationId: list\n      responses: {'200': {description: Pets}}\n"
const add = "    post:\n      operationId: add\n      responses: {'201': {description: Added}}\n"
const remove =
  "  /pets/{id}:\n    delete:\n      parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n      responses: {'204': {description: Gone}}\n"

/** 1.0 has a list, 1.1 adds an operation, 1.1.1 changes only another file, 2.0 removes the operation. */
function makeReleases(): GitHistory {
  const history = makeHistory()
  history.commit({ 'openapi.yaml': pets('1.0.0', list) })
  history.tag('v1.0.0')
  history.commit({ 'openapi.yaml': pets('1.1.0', list + add) })
  history.tag('v1.1.0')
  history.commit({ 'other.txt': '1' })
  history.tag('v1.1.1')
  history.commit({ 'openapi.yaml': pets('2.0.0', list) })
  history.tag('v2.0.0')
  return history
}

test('lists the changes of each tag since the one before', async () => {
  const { changelog } = await read(makeReleases())
  expect(show(changelog)).toEqual([
    '2.0.0 2026-01-04',
    ' breaking operation-removed post /pets',
    '1.1.0 2026-01-02',
    ' compatible operation-added post /pets',
    '1.0.0 2026-01-01 first',
  ])
})

test('names no part that is or was restricted, also if it was public before', async () => {
  const history = makeHistory()
  const restrict = '      x-mint: {groups: [admin]}\n'
  const hushed = "  /hush:\n    get:\n      operationId: hush\n      responses: {'200': {description: Hush}}\n"
  const schema = '    Pet:\n      properties:\n        name: {type: string}\n        hushed: {type: string'
  const version = (number: string, paths: string, end: string) => ({
    'openapi.yaml': pets(number, list + paths, `${schema}${end}`),
  })
  history.commit(version('1.0.0', hushed, '}\n'))
  history.tag('v1.0.0')
  history.commit(version('1.1.0', hushed + restrict, ', x-mint: {groups: [admin]}}\n'))
  history.tag('v1.1.0')
  history.commit(version('2.0.0', add + hushed + restrict, ', description: More, x-mint: {groups: [admin]}}\n'))
  history.tag('v2.0.0')
  const { changelog } = await read(history, { isPublic: true })
  expect(JSON.stringify(changelog)).not.toMatch(/hush/i)
  expect(show(changelog)).toEqual([
    '2.0.0 2026-01-03',
    ' compatible operation-added post /pets',
    '1.1.0 2026-01-02',
    '1.0.0 2026-01-01 first',
  ])
})

test('lists changes after the newest tag as unreleased', async () => {
  const history = makeReleases()
  history.commit({ 'openapi.yaml': pets('2.0.0', list + remove) })
  expect(show((await read(history)).changelog).slice(0, 3)).toEqual([
    'Unreleased -',
    ' compatible operation-added delete /pets/{id}',
    '2.0.0 2026-01-04',
  ])
})

test('compares only new versions if the others are cached', async () => {
  const history = makeReleases()
  const cache = openChangelogSteps('', 'build')
  const first = await read(history, { cache })
  const saved = openChangelogSteps(cache.format(), 'build')
  const second = await read(history, { cache: saved })
  expect([second.changelog, second.opened]).toEqual([first.changelog, 0])
  history.commit({ 'openapi.yaml': pets('2.1.0', list + add) })
  history.tag('v2.1.0')
  const third = await read(history, { cache: saved })
  expect(show(third.changelog)[0]).toBe('2.1.0 2026-01-05')
  expect(third.opened).toBeLessThan(first.opened)
})

test('ignores a damaged cache and that of another program', () => {
  const cache = openChangelogSteps('', 'build')
  expect(cache.format()).toBe('')
  cache.set('a', { kind: 'same' })
  const text = cache.format()
  const read = (saved: string, stamp: string) => openChangelogSteps(saved, stamp).get('a')
  expect(read(text, 'build')).toEqual({ kind: 'same' })
  expect([read(text, 'other'), read(text.replace('same', 'gone'), 'build')]).toEqual([undefined, undefined])
})

test('names commits by their version, else by their date', async () => {
  const history = makeHistory()
  history.commit({ 'openapi.yaml': pets('1.0.0', list) })
  history.commit({ 'openapi.yaml': pets('1.0.0', `${list}${add}`) })
  history.commit({ 'openapi.yaml': `${pets('1.0.0', `${list}${add}`)}# A comment\n` })
  history.commit({ 'openapi.yaml': pets('1.1.0', `${list}${add}${remove}`) })
  expect(show((await read(history, { from: 'commits' })).changelog)).toEqual([
    '1.1.0 2026-01-04',
    ' compatible operation-added delete /pets/{id}',
    '2026-01-02 2026-01-02',
    ' compatible operation-added post /pets',
    '1.0.0 2026-01-01 first',
  ])
})

test('follows a renamed document, and skips versions that are no OpenAPI', async () => {
  const history = makeHistory()
  history.commit({ 'old.yaml': pets('1.0.0', list) })
  history.tag('v1.0.0')
  history.commit({ 'old.yaml': 'openapi: [' })
  history.tag('v1.1.0')
  history.commit({ 'old.yaml': pets('1.2.0', list) })
  history.commit({ 'old.yaml': null, 'openapi.yaml': pets('1.2.0', list + add) })
  history.tag('v1.2.0')
  const released = show((await read(history)).changelog)
  expect(released).toEqual(['1.2.0 2026-01-04 first'])
  history.commit({ 'openapi.yaml': null, 'api/openapi.yaml': pets('1.2.0', list + add) })
  history.tag('v1.3.0')
  history.commit({ 'api/openapi.yaml': pets('1.4.0', list) })
  history.tag('v1.4.0')
  expect(show((await read(history, { path: 'api/openapi.yaml' })).changelog)).toEqual([
    '1.4.0 2026-01-06',
    ' breaking operation-removed post /pets',
    '1.2.0 2026-01-04 first',
  ])
})

test('shows operations of older versions in the current spelling', async () => {
  const history = makeHistory()
  const v1 = "  /v1/pets:\n    get:\n      operationId: list\n      responses: {'200': {description: Pets}}\n"
  history.commit({ 'openapi.yaml': pets('1', v1) })
  history.tag('v1')
  history.commit({
    'openapi.yaml': pets(
      '2',
      v1.replace('responses:', 'parameters: [{name: a, in: query, schema: {type: string}}]\n      responses:'),
    ),
  })
  history.tag('v2')
  history.commit({
    'openapi.yaml': pets(
      '3',
      v1
        .replace('/v1/', '/v2/')
        .replace('responses:', 'parameters: [{name: a, in: query, schema: {type: string}}]\n      responses:'),
    ),
  })
  history.tag('v3')
  expect(show((await read(history)).changelog)).toEqual([
    '3 2026-01-03',
    ' breaking operation-moved get /v2/pets',
    '2 2026-01-02',
    ' compatible optional-parameter-added get /v2/pets',
    '1 2026-01-01 first',
  ])
})

test('names the schemas that contain a change, also in other files', async () => {
  const history = makeHistory()
  const body =
    "  /pets:\n    get:\n      responses: {'200': {description: Pets, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}\n"
  history.commit({ 'openapi.yaml': pets('1', body, '    Pet: {$ref: ./pet.yaml}\n'), 'pet.yaml': 'type: object\n' })
  history.tag('v1')
  history.commit({ 'pet.yaml': 'type: object\nproperties: {name: {type: string}}\n' })
  history.tag('v2')
  expect(show((await read(history)).changelog)[1]).toBe(' compatible optional-property-added get /pets Pet')
})

test('marks changes that the current file or the file of their version accepts', async () => {
  const history = makeReleases()
  const file = 'openapi-pages.accepted.yaml'
  const cache = new Map<string, CachedStep>()
  const [change] = (await read(history)).changelog?.entries[0]?.changes ?? []
  const entry = (fields: object) => {
    const { fingerprint, code, message } = change ?? {}
    return JSON.stringify([{ fingerprint, code, message, reason: 'Unused', author: 'Ada', date: '2026-01-01', ...fields }])
  }
  const first = async () => show((await read(history, { cache })).changelog)[1]
  history.commit({ [file]: entry({}) })
  expect(await first()).toBe(' accepted (Unused) breaking operation-removed post /pets')
  history.commit({ [file]: entry({ document: 'other.yaml' }) })
  expect(await first()).toBe(' breaking operation-removed post /pets')
  history.commit({ [file]: entry({ document: 'openapi.yaml', reason: 'Never\nused' }) })
  history.git('tag', '--force', 'v2.0.0')
  history.commit({ [file]: null, 'openapi.yaml': pets('2.1.0', list + remove) })
  expect(show((await read(history, { cache })).changelog).slice(2, 4)).toEqual([
    '2.0.0 2026-01-07',
    ' accepted (Never\nused) breaking operation-removed post /pets',
  ])
})

test('accepts a change of a value between two versions if all its steps are accepted', async () => {
  const history = makeHistory()
  const file = 'openapi-pages.accepted.yaml'
  const limited = (maximum: number) =>
    pets(
      '1.0.0',
      `  /pets:\n    get:\n      parameters: [{name: limit, in: query, schema: {type: integer, maximum: ${maximum}}}]\n      responses: {'200': {description: Pets}}\n`,
    )
  history.commit({ 'openapi.yaml': limited(100) })
  history.tag('v1.0.0')
  for (const maximum of [50, 30, 10]) history.commit({ 'openapi.yaml': limited(maximum) })
  history.tag('v2.0.0')
  const steps = (await read(history, { from: 'commits' })).changelog?.entries.flatMap(({ changes }) => changes) ?? []
  expect(steps.map(({ message }) => message.slice(-8))).toEqual(['30 to 10', '50 to 30', '00 to 50'])
  const accept = async (changed: (entries: readonly Record<string, string>[]) => readonly object[]) => {
    const entries = steps.map(({ fingerprint, code, message }, index) => {
      return { fingerprint, code, message, reason: `Reason ${index}`, author: 'Ada', date: '2026-01-01' }
    })
    history.commit({ [file]: JSON.stringify(changed(entries)) })
    const { changelog } = await read(history)
    return changelog?.entries[0]?.changes
  }
  const [accepted] = (await accept((entries) => entries)) ?? []
  expect(accepted).toMatchObject({ message: expect.stringMatching('100 to 10'), accepted: { reason: 'Reason 0' } })
  expect(accepted).not.toHaveProperty('identity')
  // Without one of the steps, with a step of another document, and with a message that its fingerprint does not cover.
  expect((await accept((entries) => entries.slice(1)))?.[0]?.accepted).toBeUndefined()
  expect((await accept((entries) => entries.filter((_, index) => index !== 1)))?.[0]?.accepted).toBeUndefined()
  expect((await accept((entries) => entries.map((one) => ({ ...one, document: 'b.yaml' }))))?.[0]?.accepted).toBeUndefined()
  const [last] = steps
  const forged = (entries: readonly Record<string, string>[]) => [{ ...entries[2], message: last?.message.replace('30', '100') }]
  expect((await accept(forged))?.[0]?.accepted).toBeUndefined()
})

test('applies an overlay at a URL to older versions too, and reads them again when it changes', async () => {
  const history = makeReleases()
  const cache = new Map<string, CachedStep>()
  const toOverlay = (target: string) =>
    `overlay: 1.0.0\ninfo: {title: O, version: "1"}\nactions: [{target: "${target}", remove: true}]\n`
  const before = show((await read(history, { cache })).changelog)
  const changes = async (overlay: string) => show((await read(history, { cache, overlay })).changelog)
  expect(await changes(toOverlay('$.info.description'))).toEqual(before)
  const withoutPost = await changes(toOverlay("$.paths['/pets'].post"))
  expect(before.some((line) => line.includes('post /pets'))).toBe(true)
  expect(withoutPost.filter((line) => line.includes('post /pets'))).toEqual([])
})

test('says that older versions are left out', async () => {
  const history = makeReleases()
  expect(show((await read(history, { limit: 3 })).changelog)).toEqual([
    '2.0.0 2026-01-04',
    ' breaking operation-removed post /pets',
    'cut',
  ])
  let asked = 0
  expect(show((await read(history, { isOverTime: () => asked++ > 1 })).changelog)).toEqual([
    '2.0.0 2026-01-04',
    ' breaking operation-removed post /pets',
    'cut',
  ])
})

test('has no entries without a version that contains the document', async () => {
  const history = makeHistory()
  history.commit({ 'a.txt': 'a' })
  history.tag('v1')
  history.commit({ 'openapi.yaml': pets('1', list) })
  expect((await read(history)).changelog).toEqual({ entries: [], isCut: false })
})
