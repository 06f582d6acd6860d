import { describe, expect, test } from 'vitest'
import { readDefaults, readExample, runAction } from '../support/action-harness.ts'
import { git } from '../support/git-remote.ts'
import { type GitHubRemote, makeGitHubRemote } from '../support/github-remote.ts'

/** Runs the committed bundle for a push to `main`, with a token as jobs have it. */
async function runBundle(at: GitHubRemote, inputs: { readonly [name: string]: string } = {}) {
  return runAction(at.checkOut(), {
    temporaryFolder: at.remote.folder,
    // With the waits that it really has.
    environment: { ...at.environment, NODE_OPTIONS: '' },
    inputs: { 'github-token': at.token(), ...inputs },
  })
}

describe('the bundle with a fake GitHub', () => {
  test('creates a verified commit by the API, and does nothing on its own commit', async () => {
    expect(readDefaults()['commit-method']).toBe('api')
    const at = await makeGitHubRemote(readExample('petstore'))
    const before = at.remote.tip()
    const run = await runBundle(at)
    expect([run.code, run.outputs]).toMatchObject([
      0,
      {
        changed: 'true',
        committed: 'true',
        'commit-sha': at.remote.tip(),
        'commit-verified': 'true',
        operation: 'committed',
        'pull-request-number': '',
        'pages-added': '8',
      },
    ])
    expect(at.remote.log('%P|%an|%cn')).toBe(`${before}|github-actions[bot]|GitHub`)
    expect(at.github.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
    const again = await runBundle(at)
    expect([again.code, again.outputs['operation'], again.outputs['changed']]).toEqual([0, 'none', 'false'])
    expect(again.summary).toContain('### API pages: up to date')
    expect(at.github.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  test('opens a pull request if a rule rejects the commit, with outputs and summary', async () => {
    const at = await makeGitHubRemote(readExample('petstore'))
    const tip = at.remote.tip()
    at.repository.rules.set('main', { kind: 'ruleset', reason: 'Changes must be made through a pull request.' })
    const run = await runBundle(at)
    expect([run.code, run.outputs]).toMatchObject([
      0,
      { operation: 'pull-request-created', 'pull-request-number': '1', 'commit-sha': at.remote.tip('openapi-pages/main') },
    ])
    expect(run.outputs['pull-request-url']).toContain('/pull/1')
    // A second between two writes, as GitHub asks; the first may have been long on its way.
    const times = at.github.requests.filter(({ method }) => method !== 'GET').map((request) => request.at)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 1) * 500)
    expect(run.summary).toMatch(/Opened \[pull request #1\]\(.*\/pull\/1\)/)
    expect(run.summary).toContain('Changes must be made through a pull request')
    expect(at.remote.tip()).toBe(tip)
    const files = git(at.remote.path, 'ls-tree', '-r', '--name-only', 'openapi-pages/main').split('\n')
    expect(files.filter((path) => path.startsWith('api-reference/'))).toHaveLength(8)
    expect((run.stdout + run.stderr).replaceAll(/^::add-mask::.*$/gm, '')).not.toMatch(/ghs_/)
  })
})
