import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeExampleRemote, runAction } from '../support/action-harness.ts'
import { changedDocument, makeAdoptedDocs } from '../support/adopted-docs.ts'
import { wrapGitPush } from '../support/git-on-path.ts'
import { type GitRemote, git } from '../support/git-remote.ts'
import { readTimes, readTree } from '../support/read-tree.ts'

/** A push by Pat, and the run that it starts. */
async function pushAndRun(remote: GitRemote, files: Parameters<GitRemote['push']>[0], inputs: { [name: string]: string } = {}) {
  const before = remote.push(files)
  const checkout = remote.checkOut()
  const run = await runAction(checkout, { temporaryFolder: remote.folder, inputs })
  return { before, checkout, run }
}

function readPetstore(remote: GitRemote): string {
  return remote.read('openapi.yaml') ?? ''
}

const bot = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>'

describe('on a push', () => {
  test('commits the first pages of a docs repository and reports it', async () => {
    const remote = makeExampleRemote('petstore')
    const { before, checkout, run } = await pushAndRun(remote, {})
    expect(run.code).toBe(0)
    expect(run.outputs).toMatchObject({
      changed: 'true',
      committed: 'true',
      'commit-sha': remote.tip(),
      'error-count': '0',
      'warning-count': '0',
      'pages-added': '8',
      'pages-modified': '0',
      'pages-removed': '0',
    })
    expect(remote.log('%P|%an <%ae>|%cn <%ce>|%B').replace(/[0-9a-f]{64}$/, '<hash>')).toBe(
      `${before}|${bot}|${bot}|docs: update API pages\n\n8 pages added, 8 added to the navigation.\n\nOpenapi-Pages-Source: <hash>`,
    )
    expect(remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi: openapi.yaml GET /pets\n')
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    expect(run.summary).toContain('**API pages are now files in this repository.**')
    expect(run.summary).toContain('8 pages in `api-reference/`')
    expect(run.summary).toContain('`materialize: false`')
    expect(run.summary).toContain(`git revert ${remote.tip().slice(0, 12)}`)
  })

  test('changes nothing on its own commit, not even file times', async () => {
    const examples = { petstore: {}, 'two-documents': {}, 'documents-only': { openapi: 'services/*/openapi.*' } }
    for (const [example, inputs] of Object.entries(examples)) {
      const remote = makeExampleRemote(example)
      await pushAndRun(remote, {}, inputs)
      const [tip, checkout] = [remote.tip(), remote.checkOut()]
      expect(remote.log('%an')).toBe('github-actions[bot]')
      const [tree, times] = [readTree(checkout), readTimes(checkout)]
      const run = await runAction(checkout, { temporaryFolder: remote.folder, inputs })
      expect([run.code, run.outputs['changed'], run.outputs['committed']]).toEqual([0, 'false', 'false'])
      expect([readTree(checkout), readTimes(checkout), remote.tip()]).toEqual([tree, times, tip])
      expect(run.summary).toContain('### API pages: up to date')
    }
  })

  test('updates only adopted pages', async () => {
    const adopted = await makeAdoptedDocs()
    const remote = makeExampleRemote('petstore', adopted)
    const first = await pushAndRun(remote, {})
    expect([first.run.code, first.run.outputs['changed'], remote.tip()]).toEqual([0, 'false', first.before])
    const { run } = await pushAndRun(remote, { 'openapi.yaml': changedDocument })
    expect(run.outputs).toMatchObject({ committed: 'true', 'pages-added': '1', 'pages-modified': '1', 'pages-removed': '1' })
    expect(remote.read('reference/all.mdx')).toBe(adopted['reference/all.mdx'].replace('/pets', '/animals'))
    expect(remote.read('reference/one.mdx')).toBeUndefined()
    expect(remote.read('reference/remove-a-pet.mdx')).toBe('---\ntitle: "Remove a pet"\nopenapi: "DELETE /pets/{id}"\n---\n')
    expect(remote.read('docs.json')).toBe(adopted['docs.json'].replace('reference/one', 'reference/remove-a-pet'))
  })

  test('adds, renames and removes pages with their operations', async () => {
    const remote = makeExampleRemote('petstore')
    await pushAndRun(remote, {})
    const edited = readPetstore(remote)
      .replace(
        '  /adoptions:\n',
        "  /stores:\n    get:\n      summary: List stores\n      responses: {'200': {description: x}}\n  /adoptions:\n",
      )
      .replace('/pets/{petId}/reservation:', '/pets/{petId}/hold:')
      .replace(/ {4}delete:\n[\s\S]*?(?= {2}\/pets\/\{petId\}\/hold:)/, '')
    const { run } = await pushAndRun(remote, { 'openapi.yaml': edited })
    expect(run.outputs).toMatchObject({ committed: 'true', 'pages-added': '1', 'pages-modified': '1', 'pages-removed': '1' })
    expect(remote.read('api-reference/pets/reserve-a-pet.mdx')).toContain('openapi: openapi.yaml POST /pets/{petId}/hold\n')
    expect(remote.read('api-reference/pets/remove-a-pet.mdx')).toBeUndefined()
    const navigation = remote.read('docs.json') ?? ''
    expect(navigation).toContain('list-stores"')
    expect(navigation).not.toContain('remove-a-pet')
    expect(run.summary).toMatch(/\| 1 added, 1 changed, 1 removed \|/)
  })

  test('does not commit changes of other steps', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'index.mdx'), 'changed by another step')
    writeFileSync(join(checkout, 'build.log'), 'made by another step')
    const run = await runAction(checkout, { temporaryFolder: remote.folder })
    expect(run.outputs['committed']).toBe('true')
    expect(remote.read('build.log')).toBeUndefined()
    expect(remote.read('index.mdx')).toContain('title: Petstore')
    expect(readFileSync(join(checkout, 'index.mdx'), 'utf8')).toBe('changed by another step')
  })

  test('keeps and reports an edited page', async () => {
    const remote = makeExampleRemote('petstore')
    await pushAndRun(remote, {})
    const page = 'api-reference/pets/list-pets.mdx'
    const edited = `${remote.read(page)}\nA sentence by a person.\n`
    const files = { [page]: edited, 'openapi.yaml': readPetstore(remote).replace('summary: List pets', 'summary: All pets') }
    const { run } = await pushAndRun(remote, files)
    expect([run.code, remote.read(page)]).toEqual([0, edited])
    expect(run.summary).toMatch(/\| = \| .*list-pets\.mdx.* \| `GET \/pets` \| hand-edited/)
    const removed = readPetstore(remote).replace(/ {2}\/pets:\n[\s\S]*?(?= {2}\/pets\/)/, '')
    const gone = await pushAndRun(remote, { 'openapi.yaml': removed })
    expect([gone.run.outputs['warning-count'], remote.read(page)]).toEqual(['1', edited])
  })

  test('uses the message and committer of the inputs', async () => {
    const remote = makeExampleRemote('petstore')
    await pushAndRun(
      remote,
      {},
      { 'commit-message': 'api: pages\n\n# [skip ci] stays', committer: 'Docs Bot <docs@example.com>' },
    )
    expect(remote.log('%an <%ae>|%B').replace(/[0-9a-f]{64}$/, '<hash>')).toBe(
      'Docs Bot <docs@example.com>|api: pages\n\n# [skip ci] stays\n\nOpenapi-Pages-Source: <hash>',
    )
  })

  test('works in a subdirectory without a docs.json', async () => {
    const remote = makeExampleRemote('documents-only')
    const moved = { 'api/services/ledger/openapi.yaml': remote.read('services/ledger/openapi.yaml') ?? '' }
    const inputs = { 'working-directory': 'api', openapi: 'services/*/openapi.*', directory: 'pages' }
    const { run } = await pushAndRun(remote, moved, inputs)
    expect([run.code, run.outputs['pages-added']]).toEqual([0, '2'])
    expect(remote.read('api/pages/entries/list-entries.mdx')).toContain('openapi: services/ledger/openapi.yaml GET /entries\n')
  })

  test('updates valid documents next to one with errors', async () => {
    const remote = makeExampleRemote('two-documents')
    await pushAndRun(remote, {})
    const broken = (remote.read('openapi/ships.yaml') ?? '').replace('summary: Get a ship', 'sumary: Get a ship')
    const longer = (remote.read('openapi/billing.json') ?? '').replace('"List invoices"', '"List all invoices"')
    const { run } = await pushAndRun(remote, { 'openapi/ships.yaml': broken, 'openapi/billing.json': longer })
    expect([run.code, run.outputs['committed'], run.outputs['error-count']]).toEqual([1, 'true', '1'])
    expect(git(remote.path, 'show', '--name-only', '--format=', 'main').split('\n')).toEqual([
      'openapi-pages.lock.json',
      'reference/billing/list-invoices.mdx',
    ])
    expect(run.summary).toMatch(/\| ✖ \| `openapi\/ships\.yaml` 3\.0\.3 \| 1 error \| not updated \|/)
    expect(run.summary).toMatch(/\| ✔ \| `openapi\/billing\.json` 3\.1\.1 \| – \| 1 changed \|/)
  })
})

describe('if the branch moves before the push', () => {
  test('generates again from its newest commit', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    const move = `[ $PUSH -gt 1 ] || { cd '${remote.folder}/person' && sed -i 's/summary: List pets/summary: List all pets/' openapi.yaml &&
      git -c user.name=Pat -c user.email=pat@example.com commit -qam 'Meanwhile' && git push -q origin HEAD:main; }`
    const path = `${wrapGitPush(remote.folder, move)}:${process.env['PATH']}`
    const run = await runAction(checkout, { temporaryFolder: remote.folder, environment: { PATH: path } })
    expect([run.code, run.outputs['commit-sha']]).toEqual([0, remote.tip()])
    expect(remote.log('%s')).toBe('docs: update API pages')
    expect(git(remote.path, 'log', '-1', '--format=%s', 'main^')).toBe('Meanwhile')
    expect(remote.read('api-reference/pets/list-all-pets.mdx')).toContain('title: List all pets\n')
    expect(remote.read('api-reference/pets/list-pets.mdx')).toBeUndefined()
    expect(run.text).toContain('The branch has new commits')
  })
})
