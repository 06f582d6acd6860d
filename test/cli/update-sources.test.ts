import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { type FileContents, git, makeGitRemote } from '../support/git-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const sources = 'sources:\n  - { repository: acme/api, path: spec/pets.json, to: openapi.json }\n'

/** A private repository with a document, and a docs directory that follows it. */
async function makeFollower(
  config = sources,
  files: FileContents = { 'spec/pets.json': tinyDocument('List pets', 'List cats') },
) {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const remote = makeGitRemote(files)
  const repository = github.createRepository('acme/api', { bare: remote.path, private: true })
  const folder = makeTemporaryFolder({
    ...(tinyDocs(['List pets']) as { [path: string]: string }),
    'openapi-pages.config.yaml': config,
  })
  const token = github.createJobToken(repository, { contents: 'read' })
  const run = (args: readonly string[] = [], env: { [name: string]: string } = { GITHUB_TOKEN: token }) =>
    runInFolder(folder, ['update', '--sources', ...args], { env: { GITHUB_SERVER_URL: `${github.url}/`, ...env } })
  return { github, remote, folder, run, read: (path: string) => readFileSync(join(folder, path), 'utf8') }
}

test('copies documents of other repositories, and updates their pages', async () => {
  const { remote, folder, run, read } = await makeFollower()
  const before = snapshotOf(folder)
  const check = await run(['--check'])
  expect([check.exitCode, snapshotOf(folder)]).toEqual([1, before])
  const dry = await run(['--dry-run'])
  expect([dry.exitCode, snapshotOf(folder)]).toEqual([0, before])
  expect(dry.stdout).toContain('List cats')

  const { exitCode, stdout, stderr } = await run()
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`  ~ openapi.json                  from acme/api@${remote.tip().slice(0, 7)}\n`)
  expect(stdout).toContain('✔ 2 pages added\n')
  expect(read('openapi.json')).toBe(tinyDocument('List pets', 'List cats'))
  expect(existsSync(join(folder, 'api-reference/list-cats.mdx'))).toBe(true)
  const after = snapshotOf(folder)
  const again = await run(['--check'])
  expect([again.exitCode, again.stdout, snapshotOf(folder)]).toEqual([
    0,
    expect.stringContaining('✔ 2 pages up to date\n'),
    after,
  ])

  remote.push({ 'spec/pets.json': tinyDocument('List pets') })
  const json = await run(['--format', 'json'])
  expect([json.exitCode, JSON.parse(json.stdout)]).toMatchObject([0, { changed: true, removed: ['api-reference/list-cats.mdx'] }])
})

test('keeps the file and the pages of a document with errors, and updates the others', async () => {
  const config = `${sources}  - { repository: acme/api, path: other.yaml }\n`
  const { folder, run, read, remote } = await makeFollower(config, {
    'spec/pets.json': tinyDocument('List cats').replace('"title"', '"titel"'),
    'other.yaml': `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n`,
  })
  await runInFolder(folder, ['update'])
  const document = read('openapi.json')
  const { exitCode, stderr } = await run()
  const at = `acme/api\` at \`main\` (\`${remote.tip().slice(0, 7)}\`)`
  expect([exitCode, stderr]).toEqual([
    1,
    `openapi-pages: cannot update \`openapi.json\`: \`spec/pets.json\` in \`${at} has 1 error. The first is in \`spec/pets.json:4\`: Unexpected field \`titel\` in an Info Object
  Correct the document in \`acme/api\`. \`openapi.json\` and its pages were not changed
`,
  ])
  expect([read('openapi.json'), existsSync(join(folder, 'other.yaml'))]).toEqual([document, true])
})

test('cannot run if a document, its ref or its repository is missing, or the token has no access', async () => {
  const { github, run, folder } = await makeFollower(
    `sources:
  - { repository: acme/api, path: spec/pet.json }
  - { repository: acme/api, ref: trunk, path: spec/pets.json, to: b.json }
  - { repository: acme/other, path: c.json }
`,
  )
  const { exitCode, stderr } = await run()
  expect(exitCode).toBe(2)
  expect(
    stderr.replaceAll(/\(`[0-9a-f]{7}`\)/g, '(SHA)'),
  ).toBe(`openapi-pages: cannot read \`spec/pet.json\`: no such file in \`acme/api\` at \`main\` (SHA)
  Did you mean \`pets.json\`?
openapi-pages: cannot read \`acme/api\`: it has no branch or tag \`trunk\`. Its default branch is \`main\`
  Name another one, or none to follow the default branch
openapi-pages: cannot read \`acme/other\`: the repository does not exist, or the credentials have no access to it
  Set GITHUB_TOKEN to another token: it needs \`Contents: read\` in acme/other
`)
  const anonymous = await run([], {})
  expect([anonymous.exitCode, anonymous.stderr]).toEqual([
    2,
    expect.stringContaining('Set GITHUB_TOKEN: it needs `Contents: read` in acme/api'),
  ])
  expect(existsSync(join(folder, 'spec'))).toBe(false)
  expect(github.gitRequests).not.toContain('push')
})

test('other commands name the option that copies a missing document', async () => {
  const { folder, run } = await makeFollower()
  rmSync(join(folder, 'openapi.json'))
  for (const command of ['check', 'update']) {
    const { exitCode, stdout } = await runInFolder(folder, [command])
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('hint: Run `openapi-pages update --sources` to copy it\n')])
  }
  expect((await run()).exitCode).toBe(0)
  expect((await runInFolder(folder, ['check'])).exitCode).toBe(0)
})

test('needs `sources`, and refuses --watch', async () => {
  const { run } = await makeFollower('order: tags\n')
  expect(await run()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot find `sources` in openapi-pages.config.yaml'),
  })
  expect(await run(['--watch'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('unexpected --watch with --sources'),
  })
})

test('never writes through a link that leaves the docs directory', async () => {
  const { folder, run } = await makeFollower(
    `sources:\n  - { repository: acme/api, path: spec/pets.json, to: link/openapi.json }\n`,
  )
  git(folder, 'init', '--quiet')
  const outside = makeTemporaryFolder()
  symlinkSync(outside, join(folder, 'link'))
  const { exitCode, stderr } = await run()
  expect([exitCode, existsSync(join(outside, 'openapi.json'))]).toEqual([2, false])
  expect(stderr).toContain('cannot store a document in `link/openapi.json`: it is outside the boundary for reading files')
})
