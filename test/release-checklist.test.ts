import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  checklist,
  formatChecklist,
  matchesRef,
  packageNames,
  readUpdatePatterns,
  runChecklist,
  type Sources,
} from '../scripts/release-checklist.ts'
import { projectFolder } from './support/action-harness.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const ruleset: { readonly [key: string]: unknown } = JSON.parse(
  readFileSync(join(projectFolder, '.github/rulesets/release-tags.json'), 'utf8'),
)
const base = '/repos/openapi-pages/openapi-pages'

/** Answers as GitHub, npm and the registry of images, by path. */
function answering(
  github: { readonly [path: string]: unknown },
  npm: Awaited<ReturnType<Sources['npm']>> = undefined,
  image: Awaited<ReturnType<Sources['image']>> = undefined,
): Sources {
  const missing: Answer = { status: 404, body: { message: 'Not Found' } }
  return {
    github: async (path) => (path in github ? { status: 200, body: github[path] } : missing),
    npm: async () => npm,
    image: async () => image,
  }
}

const stateOf = async (sources: Sources) =>
  Object.fromEntries((await runChecklist(sources)).map(({ title, state, detail }) => [title, [state, detail]]))

const complete = {
  [base]: { private: false },
  [`${base}/immutable-releases`]: { enabled: true },
  [`${base}/rulesets`]: [
    { id: 1, target: 'branch', enforcement: 'active' },
    { id: 7, target: 'tag', enforcement: 'active' },
  ],
  [`${base}/rulesets/7`]: ruleset,
  [`${base}/environments/npm`]: { protection_rules: [{ type: 'required_reviewers' }] },
}

describe('the set-up of a release', () => {
  test('is listed in CONTRIBUTING.md in the same order', () => {
    const text = readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8')
    const section = text.split('### Before the first release')[1]?.split(/^## /m)[0] ?? ''
    const listed = [...section.matchAll(/^(\d+)\. \*\*(.+?)\*\*/gm)].map(([, number, title]) => `${number} ${title}`)
    expect(listed).toEqual(checklist.map(({ title }, index) => `${index + 1} ${title}`))
  })

  test('is complete', async () => {
    const sources = answering(
      complete,
      [{ version: '0.1.0', hasProvenance: true }],
      ['linux/amd64', 'linux/arm64', 'unknown/unknown'],
    )
    expect(formatChecklist(await runChecklist(sources))).toBe(checklist.map(({ title }) => `✔ ${title}\n`).join(''))
  })

  test('is unknown without answers', async () => {
    const results = await runChecklist({
      github: async () => undefined,
      npm: async () => undefined,
      image: async () => undefined,
    })
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['unknown']))
    expect(formatChecklist(results)).toContain('? Environment `npm`: set GH_TOKEN to the token of a maintainer')
  })

  test('is open where something is missing', async () => {
    const tagRule = (pattern: string, rules: readonly string[] = ['update']) => ({
      ...complete,
      [`${base}/rulesets/7`]: { conditions: { ref_name: { include: [pattern] } }, rules: rules.map((type) => ({ type })) },
    })
    const opens = async (github: { readonly [path: string]: unknown }, title: string) => (await stateOf(answering(github)))[title]
    expect(await opens({}, 'Public repository')).toEqual(['open', expect.stringContaining('is not public')])
    expect(await opens({ [base]: { private: true } }, 'Public repository')).toEqual(['open', expect.any(String)])
    expect(await opens({ [`${base}/immutable-releases`]: { enabled: false } }, 'Immutable releases')).toEqual([
      'open',
      expect.any(String),
    ])
    expect(await opens({ [`${base}/environments/npm`]: { protection_rules: [] } }, 'Environment `npm`')).toEqual([
      'open',
      expect.any(String),
    ])
    const blocks = 'a rule blocks the workflow from moving v1 and v1.2: use the pattern `v*.*.*`'
    expect(await opens(tagRule('refs/tags/v*'), 'Tag ruleset')).toEqual(['open', blocks])
    expect(await opens(tagRule('~ALL'), 'Tag ruleset')).toEqual(['open', blocks])
    const unprotected = 'no active rule protects v1.2.3: import .github/rulesets/release-tags.json'
    expect(await opens(tagRule('refs/tags/v*.*.*', ['creation']), 'Tag ruleset')).toEqual(['open', unprotected])
    expect(await opens({ ...complete, [`${base}/rulesets`]: [] }, 'Tag ruleset')).toEqual(['open', unprotected])
    const disabled = { ...complete, [`${base}/rulesets`]: [{ id: 7, target: 'tag', enforcement: 'disabled' }] }
    expect(await opens(disabled, 'Tag ruleset')).toEqual(['open', unprotected])
    const before = await stateOf(answering({}, 'missing', 'missing'))
    expect(before['Placeholder packages']).toEqual(['open', 'npm has no package openapi-pages and openapi-pages-app'])
    // Only the first release creates the image.
    expect(before['Public image']).toEqual(['unknown', 'after the first release, make the package public'])
    const placeholders = await stateOf(answering({}, [{ version: '0.0.0', hasProvenance: false }], ['linux/amd64']))
    expect(placeholders['Placeholder packages']?.[0]).toBe('done')
    expect(placeholders['Trusted publishers']?.[0]).toBe('unknown')
    expect(placeholders['Public image']).toEqual(['open', '`latest` has no image for linux/arm64'])
  })

  test('has a tag rule that protects releases only', () => {
    expect(ruleset).toMatchObject({ target: 'tag', enforcement: 'active', bypass_actors: [] })
    const [pattern = ''] = readUpdatePatterns(ruleset)
    const tags = ['v1.2.3', 'v0.10.0', 'v1', 'v1.2', 'latest', 'x/v1.2.3']
    expect(tags.filter((tag) => matchesRef(pattern, `refs/tags/${tag}`))).toEqual(['v1.2.3', 'v0.10.0'])
    expect(matchesRef('refs/tags/**', 'refs/tags/x/v1')).toBe(true)
    expect(matchesRef('refs/tags/v?.2', 'refs/tags/v1.2')).toBe(true)
    expect(matchesRef('refs/tags/v1.2', 'refs/tags/v1x2')).toBe(false)
  })

  test('has placeholder packages with the version that no release can have', () => {
    const to = makeTemporaryFolder()
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(projectFolder, 'scripts/release.ts'), ...args, '--to', to], { encoding: 'utf8' })
    expect(run('--placeholder')).toMatchObject({ status: 0, stderr: '' })
    for (const name of packageNames) {
      const manifest = JSON.parse(readFileSync(join(to, name, 'package.json'), 'utf8'))
      expect(manifest).toMatchObject({ name, version: '0.0.0', license: expect.any(String), repository: expect.anything() })
    }
    expect(run('v0.0.0').stderr).toContain('0.0.0 is the version of the placeholder packages')
  })
})
