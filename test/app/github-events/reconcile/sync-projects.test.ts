import { expect, test } from 'vitest'
import { findDocsRoots, maxDocsRoots, planProjectChanges } from '../../../../src/app/github-events/reconcile/sync-projects.ts'
import type { Project } from '../../../../src/status/update-record.ts'

test.each([
  [['docs.json'], ['']],
  [
    ['mint.json', 'docs/mint.json', 'docs/docs.json'],
    ['', 'docs'],
  ],
  [['README.md', 'mydocs.json', 'docs.json.bak'], []],
  [
    ['z/docs.json', 'a/b/docs.json', 'docs/docs.json', 'docs.json'],
    ['', 'docs', 'z', 'a/b'],
  ],
  [['node_modules/x/docs.json', 'packages/a/test/fixtures/docs.json', 'Tests/docs.json', 'docs/docs.json'], ['docs']],
])('%j has the roots %j', (paths, roots) => {
  expect(findDocsRoots(paths)).toEqual({ roots, leftOutCount: 0 })
})

test('limits the number of docs directories', () => {
  const { roots, leftOutCount } = findDocsRoots(Array.from({ length: maxDocsRoots + 3 }, (_, index) => `d${index}/docs.json`))
  expect(roots).toHaveLength(maxDocsRoots)
  expect(leftOutCount).toBe(3)
})

const facts = { repositoryId: 1, owner: 'acme', repo: 'api', defaultBranch: 'main', private: false, installationId: 5 }

function toProject(root: string, hasDocsConfig: boolean): Project {
  const id = `prj_${root}`
  return {
    ...facts,
    id,
    root,
    hasDocsConfig,
    subdomain: `acme-${root}`,
    enabled: true,
    siteAccess: 'repository',
    createdAt: '2026-11-20T07:15:03.120Z',
  }
}

/** `~docs`: the first project becomes it; `+sdk`: a new one; `=docs`: now known to have a `docs.json`. */
function plan(known: readonly Project[], roots: readonly string[]): string[] {
  const [first] = known
  if (!first) throw new Error('A repository in the store has a project')
  return planProjectChanges(known, first, roots).map((change) => {
    if (change.kind === 'move-root') return `~${change.root}`
    if (change.kind !== 'upsert') return change.kind
    return `${known.some(({ root }) => root === change.project.root) ? '=' : '+'}${change.project.root}`
  })
}

test.each([
  ['nothing is known of the files', [toProject('', false)], [], []],
  ['the root is the repository', [toProject('', false)], [''], ['=']],
  ['it is known already', [toProject('', true)], [''], []],
  ['the root is a folder', [toProject('', false)], ['docs'], ['~docs']],
  ['there are several', [toProject('', false)], ['docs', 'sdk'], ['~docs', '+sdk']],
  ['one joins', [toProject('docs', true)], ['docs', 'sdk'], ['+sdk']],
  ['one joins beside the whole repository', [toProject('', true)], ['', 'sdk'], ['+sdk']],
  ['one goes', [toProject('docs', true), toProject('sdk', true)], ['docs'], []],
  ['the repository becomes one itself', [toProject('docs', true)], ['', 'docs'], ['+']],
])('projects where %s', (_name, known, roots, changes) => {
  expect(plan(known, roots)).toEqual(changes)
})
