import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toSarifPath } from '../../../src/action/report/publish-report.ts'
import { formatSarif } from '../../../src/diagnostics/format-ci.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const other = 'expected a new file or an existing SARIF file'

test.each([
  ['a document', 'openapi.yaml', other],
  ['a docs.json', 'docs.json', other],
  ['a page', 'index.mdx', other],
  ['a link to a document', 'link.sarif', other],
  ['a folder', 'guides', 'expected a file, but a directory with this name exists'],
  ["git's own file", '.git/config', 'expected a file in the workspace, outside `.git`'],
  ["a new file in git's folder", '.git/hooks/post-checkout', 'expected a file in the workspace, outside `.git`'],
  ["git's folder by another name", '.GIT/config', 'expected a file in the workspace, outside `.git`'],
  ["a link into git's folder", 'hook.sarif', 'expected a file in the workspace, outside `.git`'],
  ['a file above', '../out.sarif', 'expected a file in the workspace'],
  ['a link that leads out', 'out.sarif', 'expected a file in the workspace'],
])('does not overwrite %s with SARIF', async (_, name, message) => {
  await expect(toSarifPath(name, toOwnPath(makeWorkspace()))).rejects.toThrow(
    `Unexpected \`${name}\` for the input \`sarif-file\`, ${message}`,
  )
})

test.each([
  ['a new file', 'pages.sarif'],
  ['a new file in a new folder', 'a/b/pages.sarif'],
  ['a report of an earlier step', 'earlier.sarif'],
  ['an empty file', 'empty.sarif'],
  ['a file with git in its name', '.github/pages.git.sarif'],
])('writes SARIF to %s', async (_, name) => {
  const workspace = makeWorkspace()
  expect(await toSarifPath(name, toOwnPath(workspace))).toBe(join(workspace, name))
})

function makeWorkspace(): string {
  const folder = makeTemporaryFolder({
    'openapi.yaml': 'openapi: 3.1.0\n',
    'docs.json': '{}',
    'index.mdx': '# Hi\n',
    'guides/a.mdx': '',
    '.git/config': '[core]\n',
    'earlier.sarif': formatSarif([], {}),
    'empty.sarif': '',
  })
  mkdirSync(join(folder, '.git/hooks'))
  symlinkSync('openapi.yaml', join(folder, 'link.sarif'))
  symlinkSync('.git/hooks/post-merge', join(folder, 'hook.sarif'))
  symlinkSync('../elsewhere', join(folder, 'out.sarif'))
  return folder
}
