import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const fileName = 'openapi-pages.accepted.yaml'

const toDocument = (type: string, ...paths: readonly string[]) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
${paths
  .map(
    (path) =>
      `  ${path}: {get: {parameters: [{name: limit, in: query, schema: {type: ${type}}}], responses: {'200': {description: Pets}}}}\n`,
  )
  .join('')}`

const before = toDocument('string', '/pets', '/cats', '/dogs')
const after = toDocument('integer', '/pets', '/cats')
const files = { 'old/openapi.yaml': before, 'openapi.yaml': after }
const reason = ['--reason', 'No client sends it', '--author', 'Ada']

const run = (folder: string, ...options: readonly string[]) =>
  runInFolder(folder, ['accept', 'old/openapi.yaml', 'openapi.yaml', ...options])
const compare = (folder: string, ...options: readonly string[]) =>
  runInFolder(folder, ['changes', 'old/openapi.yaml', 'openapi.yaml', '--fail-on', 'breaking', ...options])
const readAccepted = (folder: string) => readFileSync(join(folder, fileName), 'utf8')
const listEntries = (folder: string) =>
  [...readAccepted(folder).matchAll(/code: (\S+)\n {2}operation: (.+)\n/g)].map(([, code, operation]) => `${code} ${operation}`)

async function listFingerprints(folder: string): Promise<string[]> {
  const { stdout } = await run(folder)
  return [...stdout.matchAll(/^breaking \S+ ([0-9a-f]{8})$/gm)].map(([, fingerprint = '']) => fingerprint)
}

function git(folder: string, ...args: string[]): void {
  runProgram('git', ['-c', 'user.email=ada@example.com', ...args], { cwd: folder })
}

function makeRepository(tree: Record<string, string> = { 'openapi.yaml': before }): string {
  const folder = makeTemporaryFolder(tree)
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'config', 'user.name', 'Grace')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'first')
  writeFileSync(join(folder, 'openapi.yaml'), after)
  return folder
}

describe('accept', () => {
  test('lists the breaking changes if none is selected', async () => {
    const folder = makeTemporaryFolder(files)
    const listed = await run(folder)
    expect(listed.exitCode).toBe(1)
    expect(listed.stdout.split('\n\n')).toEqual([
      expect.stringMatching(/^breaking type-narrowed [0-9a-f]{8}\n {2}GET \/pets: Type of query parameter `limit` changed/),
      expect.stringMatching(/^breaking type-narrowed [0-9a-f]{8}\n {2}GET \/cats: /),
      expect.stringMatching(/^breaking operation-removed [0-9a-f]{8}\n {2}GET \/dogs: /),
      '',
    ])
    expect(listed.stderr).toMatch(
      /^openapi-pages: name the changes to accept.*\n {2}Add for example `--fingerprint [0-9a-f]{8} --reason/,
    )
    expect(existsSync(join(folder, fileName))).toBe(false)
  })

  test('accepts a change by the beginning of its fingerprint', async () => {
    const folder = makeTemporaryFolder(files)
    const [first = ''] = await listFingerprints(folder)
    const accepted = await run(folder, '--fingerprint', first, ...reason)
    expect(accepted).toMatchObject({ exitCode: 0, stderr: '' })
    expect(accepted.stdout).toContain(`✔ Accepted 1 change in ${fileName}\n`)
    expect(accepted.stdout).toContain(`To undo, delete ${fileName}.\n`)
    expect(readAccepted(folder)).toMatch(/reason: No client sends it\n {2}author: Ada\n {2}date: \d{4}-\d\d-\d\d\n$/)
    expect(listEntries(folder)).toEqual(['type-narrowed GET /pets'])
    const compared = await compare(folder)
    expect(compared.exitCode).toBe(1)
    expect(compared.stdout).toContain(`breaking, accepted type-narrowed ${first}\n`)
    expect(compared.stdout).toContain('accepted by Ada: No client sends it\n')
    expect(compared.stdout).toContain('✖ 2 breaking, 1 accepted changes')
  })

  test.each([
    [['--path', '/p*'], ['type-narrowed GET /pets']],
    [
      ['--match-path', 'ts$'],
      ['type-narrowed GET /cats', 'type-narrowed GET /pets'],
    ],
    [['--tag', 'missing'], []],
  ])('accepts only changes of the operations of %j', async (filter, expected) => {
    const folder = makeTemporaryFolder(files)
    expect((await run(folder, ...filter, '--all', ...reason)).exitCode).toBe(0)
    expect(existsSync(join(folder, fileName)) ? listEntries(folder) : []).toEqual(expected)
    expect((await compare(folder, ...filter)).exitCode).toBe(0)
  })

  test('reads both versions as `changes` does', async () => {
    const action = '{target: "$.paths[*].get.parameters", remove: true}'
    const overlay = `overlay: 1.0.0\ninfo: {title: A, version: "1"}\nactions: [${action}]\n`
    const isAlpha = (document: string) => document.replaceAll('{get: {', '{get: {x-stability-level: alpha, ')
    const folder = makeTemporaryFolder({
      ...files,
      'a.overlay.yaml': overlay,
      'old/alpha.yaml': isAlpha(before),
      'alpha.yaml': isAlpha(after).replaceAll('/cats:', '/v1/cats:'),
    })
    expect((await run(folder, '--overlay', 'a.overlay.yaml')).stdout).toMatch(/^breaking operation-removed [0-9a-f]{8}\n.*\n\n$/)
    const list = async (...options: readonly string[]) => {
      const { stdout } = await runInFolder(folder, ['accept', 'old/alpha.yaml', 'alpha.yaml', ...options])
      return [...stdout.matchAll(/^breaking (\S+)/gm)].map(([, code]) => code)
    }
    expect(await list()).toEqual([])
    expect(await list('--stability-level', 'alpha')).toEqual(expect.arrayContaining(['operation-removed']))
    expect(await list('--stability-level', 'alpha', '--strip-prefix', '/v1')).toEqual([
      ...['type-narrowed', 'type-narrowed', 'operation-removed'],
    ])
  })

  test.each([
    ['--path', '/pets'],
    ['--match-path', 'pets'],
    ['--tag', 'a'],
  ])('refuses --prune with %s, which leaves out changes that entries can match', async (option, value) => {
    const folder = makeTemporaryFolder(files)
    const refused = await run(folder, '--prune', option, value)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(`unexpected ${option} with --prune`)
  })

  test('accepts all changes with a code, and all breaking changes', async () => {
    const folder = makeTemporaryFolder(files)
    expect((await run(folder, '--code', 'type-narrowed', ...reason)).exitCode).toBe(0)
    expect(listEntries(folder)).toEqual(['type-narrowed GET /cats', 'type-narrowed GET /pets'])
    const all = await run(folder, '--all', ...reason)
    expect(all.stdout).toContain('✔ Accepted 1 change')
    expect(all.stdout).toContain(`To undo, edit ${fileName} (git has no copy from before this command).\n`)
    expect(listEntries(folder)).toEqual(['type-narrowed GET /cats', 'operation-removed GET /dogs', 'type-narrowed GET /pets'])
    expect(await compare(folder)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✔ 3 accepted changes') })
    const again = await run(folder, '--all')
    expect(again).toEqual({ exitCode: 0, stdout: '✔ All 3 changes are already accepted\n', stderr: '' })
    expect(await run(folder)).toEqual({ exitCode: 0, stdout: '✔ No changes to accept\n', stderr: '' })
  })

  test('keeps the shape and the counts of the JSON format', async () => {
    const folder = makeTemporaryFolder(files)
    const printed = (await compare(folder, '--format', 'json')).stdout
    await run(folder, '--all', ...reason)
    expect((await compare(folder, '--format', 'json')).stdout).toBe(printed)
  })

  test('does not count accepted changes as failures in JUnit', async () => {
    const folder = makeTemporaryFolder(files)
    await run(folder, '--code', 'type-narrowed', ...reason)
    const { stdout } = await compare(folder, '--format', 'junit')
    expect(stdout).toMatch(/<testsuites .* tests="3" failures="1"/)
    expect(stdout).toContain('accepted by Ada: No client sends it')
  })

  test('prints the difference in a dry run', async () => {
    const folder = makeTemporaryFolder(files)
    const { stdout } = await run(folder, '--all', ...reason, '--dry-run')
    expect(stdout).toContain(`+++ b/${fileName}\n`)
    expect(stdout).toContain('+  operation: GET /dogs\n')
    expect(stdout).toMatch(/\nDry run: openapi-pages\.accepted\.yaml was not changed\n$/)
    expect(existsSync(join(folder, fileName))).toBe(false)
  })

  test('removes entries that match no change, and keeps comments and entries of other documents', async () => {
    const folder = makeTemporaryFolder({ ...files, 'other.yaml': after })
    await run(folder, '--all', ...reason)
    await runInFolder(folder, ['accept', 'old/openapi.yaml', 'other.yaml', '--code', 'type-narrowed', ...reason])
    writeFileSync(join(folder, fileName), readAccepted(folder).replace(/(?=- fingerprint)/, '# The API team\n\n'))
    writeFileSync(join(folder, 'openapi.yaml'), toDocument('string', '/pets', '/cats'))
    const pruned = await run(folder, '--prune')
    expect(pruned).toMatchObject({ exitCode: 0, stderr: '' })
    expect(pruned.stdout).toContain(`✔ Removed 2 entries in ${fileName}\n`)
    expect(listEntries(folder)).toEqual(['operation-removed GET /dogs', 'type-narrowed GET /cats', 'type-narrowed GET /pets'])
    expect(readAccepted(folder)).toContain('# The API team\n')
    expect((await run(folder, '--prune')).stdout).toBe('✔ All entries match a change\n')
  })

  test('takes the author from git, and shows that an entry is new in the revision', async () => {
    const folder = makeRepository()
    const argv = ['accept', 'main:openapi.yaml', 'openapi.yaml', '--code', 'operation-removed', '--reason', 'Unused']
    expect(await runInFolder(folder, argv)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readAccepted(folder)).toContain('author: Grace\n')
    const show = async (base: string, revision: string) => (await runInFolder(folder, ['changes', base, revision])).stdout
    expect(await show('main:openapi.yaml', 'openapi.yaml')).toContain('accepted by Grace (new in this revision): Unused')
    git(folder, 'add', fileName)
    git(folder, 'commit', '-q', '-m', 'second')
    expect(await show('main:openapi.yaml', 'openapi.yaml')).toContain('accepted by Grace: Unused')
    git(folder, 'commit', '-q', '-a', '-m', 'third')
    expect(await show('HEAD~1:openapi.yaml', 'HEAD:openapi.yaml')).toContain('accepted by Grace: Unused')
    expect(await show('HEAD~2:openapi.yaml', 'HEAD:openapi.yaml')).toContain('accepted by Grace (new in this revision): Unused')
    expect(await show('HEAD:openapi.yaml', 'HEAD~2:openapi.yaml')).not.toContain('accepted by')
  })

  test('adds entries to the file on the disk if the revision is in git', async () => {
    const folder = makeRepository()
    git(folder, 'commit', '-q', '-a', '-m', 'second')
    const argv = ['accept', 'HEAD~1:openapi.yaml', 'HEAD:openapi.yaml', '--reason', 'Unused']
    await runInFolder(folder, [...argv, '--code', 'operation-removed'])
    await runInFolder(folder, [...argv, '--code', 'type-narrowed'])
    expect(listEntries(folder)).toHaveLength(3)
  })

  test('explains how to undo an edit, depending on what is committed', async () => {
    const folder = makeRepository()
    const accept = async (code: string) => {
      const argv = ['accept', 'main:openapi.yaml', 'openapi.yaml', '--reason', 'Unused', '--code', code]
      return (await runInFolder(folder, argv)).stdout.match(/To undo, (.*)\.\n/)?.[1]
    }
    const edit = `edit ${fileName} (git has no copy from before this command)`
    expect(await accept('operation-removed')).toBe(`delete ${fileName}`)
    expect(await accept('type-narrowed')).toBe(edit)
    const content = readAccepted(folder)
    writeFileSync(join(folder, fileName), content.slice(0, content.indexOf('- fingerprint', 1)))
    git(folder, 'add', fileName)
    expect(await accept('type-narrowed')).toBe(edit)
    git(folder, 'commit', '-q', '-m', 'second', fileName)
    writeFileSync(join(folder, fileName), '# Ours\n')
    git(folder, 'commit', '-q', '-m', 'third', fileName)
    expect(await accept('type-narrowed')).toBe(`run \`git checkout -- ${fileName}\``)
  })

  test('accepts changes of several documents in the file of their docs directory', async () => {
    const docs = JSON.stringify({
      navigation: {
        tabs: [
          { tab: 'A', openapi: 'a.yaml' },
          { tab: 'B', openapi: ['b.yaml'] },
        ],
      },
    })
    const folder = makeRepository({
      'docs/docs.json': docs,
      'docs/a.yaml': before,
      'docs/b.yaml': before,
      'openapi.yaml': before,
    })
    writeFileSync(join(folder, 'docs/a.yaml'), after)
    writeFileSync(join(folder, 'docs/b.yaml'), toDocument('string', '/pets', '/cats'))
    const accept = (...options: string[]) => runInFolder(folder, ['accept', 'main', 'docs', ...options])
    const listed = await accept()
    expect(listed.exitCode).toBe(1)
    expect(listed.stdout.match(/^breaking \S+ [0-9a-f]{8} docs\/[ab]\.yaml$/gm)).toHaveLength(4)
    const accepted = await accept('--code', 'operation-removed', '--reason', 'Unused')
    expect(accepted).toMatchObject({ exitCode: 0, stderr: '' })
    expect(accepted.stdout).toContain(`✔ Accepted 2 changes in docs/${fileName}\n`)
    const content = readFileSync(join(folder, 'docs', fileName), 'utf8')
    expect([...content.matchAll(/document: (.+)/g)].map(([, document]) => document).toSorted()).toEqual(['a.yaml', 'b.yaml'])
    const compared = await runInFolder(folder, ['changes', 'main', 'docs', '--fail-on', 'breaking', '--format', 'markdown'])
    expect(compared).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('### API changes: 2 breaking, 2 accepted\n') })
    await accept('--all', '--reason', 'Unused')
    expect((await runInFolder(folder, ['changes', 'main', 'docs', '--fail-on', 'breaking'])).exitCode).toBe(0)
    writeFileSync(join(folder, 'docs/b.yaml'), before)
    expect((await accept('--prune')).stdout).toContain(`✔ Removed 1 entry in docs/${fileName}\n`)
    // Entries that are committed count in a comparison of two revisions, and are edited on the disk.
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'second')
    expect((await runInFolder(folder, ['accept', 'HEAD~1:docs', 'HEAD:docs'])).stdout).toBe('✔ No changes to accept\n')
  })

  test.each([
    ['beside the configuration file', { 'openapi-pages.config.yaml': '' }, fileName, 'api/v1/openapi.yaml'],
    ['in the docs directory', { 'api/docs.json': '{}' }, `api/${fileName}`, 'v1/openapi.yaml'],
    [
      'beside an existing file',
      { [`api/${fileName}`]: '# Ours\n', 'openapi-pages.config.yaml': '' },
      `api/${fileName}`,
      'v1/openapi.yaml',
    ],
    ['at the top of the repository', {}, fileName, 'api/v1/openapi.yaml'],
  ])('writes the file %s', async (_, extra, path, document) => {
    const folder = makeTemporaryFolder({ 'old.yaml': before, 'api/v1/openapi.yaml': after, ...extra })
    const argv = ['old.yaml', 'api/v1/openapi.yaml']
    const accepted = await runInFolder(folder, ['accept', ...argv, '--all', ...reason, '--boundary', '.'])
    expect(accepted).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(join(folder, path), 'utf8')).toContain(`document: ${document}\n`)
    const compared = await runInFolder(folder, ['changes', ...argv, '--fail-on', 'breaking', '--boundary', '.'])
    expect(compared).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3 accepted changes') })
  })

  test.each<[string[], string]>([
    [['--all'], 'missing --reason'],
    [['--all', '--reason', ' '], 'missing --reason'],
    [['--all', '--reason', 'a'.repeat(1_001)], 'the value of --reason has 1001 characters, expected at most 1000'],
    [['--code', 'type-narrowd', ...reason], 'unknown code `type-narrowd` for --code\n  Did you mean `--code type-narrowed`?'],
    [['--code', 'tag-removed', ...reason], 'no breaking or risky change has the code `tag-removed`'],
    [['--fingerprint', 'ffff', ...reason], 'the change `ffff` does not exist'],
    [['--fingerprint', '', ...reason], 'the change `` does not exist'],
  ])('exits with code 2 for %j', async (options, message) => {
    const folder = makeTemporaryFolder(files)
    const failed = await run(folder, ...options)
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain(message)
    expect(existsSync(join(folder, fileName))).toBe(false)
  })

  test('rejects a fingerprint that is not unique', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
    const folder = makeTemporaryFolder({
      'old/openapi.yaml': toDocument('string', ...paths),
      'openapi.yaml': toDocument('integer', ...paths),
    })
    const digits = (await listFingerprints(folder)).map((fingerprint) => fingerprint.slice(0, 1))
    // With 20 fingerprints and 16 digits, two begin with the same one.
    const digit = digits.find((one, index) => digits.indexOf(one) !== index) ?? ''
    const failed = await run(folder, '--fingerprint', digit, ...reason)
    expect(failed.exitCode).toBe(2)
    expect(failed.stderr).toContain(`changes have a fingerprint that begins with \`${digit}\`\n  Use more digits`)
  })

  test('neither compares nor edits with an error in the file', async () => {
    const folder = makeTemporaryFolder({
      ...files,
      [fileName]: '# Ours\n- fingerprint: 0123456789abcdef\n  code: type-narrowed\n',
    })
    const content = readAccepted(folder)
    for (const failed of [await compare(folder), await run(folder, '--all', ...reason)]) {
      expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
      expect(failed.stderr).toContain(`${fileName}:2:3 error missing-field\n  Missing \`message\``)
    }
    expect(readAccepted(folder)).toBe(content)
  })

  test('does not edit entries in brackets', async () => {
    const folder = makeTemporaryFolder(files)
    await run(folder, '--code', 'operation-removed', ...reason)
    const fields = readAccepted(folder)
      .split('\n')
      .filter((line) => /^[- ] /.test(line))
      .map((line) => line.slice(2).replace(/: (.*)/, (_, value: string) => `: ${JSON.stringify(value)}`))
    writeFileSync(join(folder, fileName), `# Ours\n[{${fields.join(', ')}}]\n`)
    expect((await compare(folder)).stdout).toContain('1 accepted')
    const failed = await run(folder, '--all', ...reason)
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain(`cannot edit ${fileName}: its entries have an unexpected layout`)
  })
})
