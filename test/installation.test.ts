import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installCommand } from '../src/docs/config/config-files.ts'
import { projectFolder } from './support/action-harness.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

// Nobody owns these names on npm before a release. So each command that a reader copies installs from Git, and no command asks npm for them.

const folders = ['README.md', 'bin', 'docs', 'editors', 'examples', 'locales', 'packages', 'src', 'texts']
const paths = execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: projectFolder, encoding: 'utf8' }).split('\0')
/** Reasons and names of files that are made in a clone. */
const isRead = (path: string) =>
  /\.(?:cjs|js|json|md|mdx|ts|tsx|ya?ml)$|Jenkinsfile$/.test(path) && !path.startsWith('docs/decisions/')
/** A command that gets a program or a package from npm, up to the end of its line or its quotation. */
const commands =
  /(?:\bnpx|\bnpm["', ]+(?:i|install|ci|exec|x|add|pack)|\b(?:pnpm|yarn|bun)x?["', ]+(?:add|dlx|exec|x)?)\b[^\n`'|]*/g
const ours = /(?<![\w/-])openapi-pages(?:-app)?(?![\w/.-])/

function findUnsafe(text: string): string[] {
  const withoutInstall = text
    .replaceAll(installCommand, '')
    .replaceAll(/git\+https:\/\/github\.com\/openapi-pages\/openapi-pages\.git/g, '')
  return [...withoutInstall.matchAll(commands)].flatMap(([line]) =>
    ours.test(line.replaceAll(/^(\S+ )(?:\/|--prefix \/)\S+/g, '$1')) ? [line] : [],
  )
}

test('no command that a reader copies gets these names from npm before a release', () => {
  const found = paths
    .filter(isRead)
    .flatMap((path) => findUnsafe(readFileSync(join(projectFolder, path), 'utf8')).map((line) => `${path}: ${line}`))
  expect(found).toEqual([
    // What a release writes.
    expect.stringMatching(/^src\/cli\/setup\/ci-files\.ts: npm install --global openapi-pages@/),
    'src/docs/config/config-files.ts: npm install --global openapi-pages openapi-pages-app',
  ])
})

test.each([
  'npx openapi-pages check',
  'npx --yes openapi-pages@latest ci',
  'npm install --global openapi-pages',
  'npm i -D openapi-pages-app@0.1.0',
  'command: "npx", args: ["-y", "openapi-pages", "lsp"]',
  'pnpm dlx openapi-pages init',
])('finds `%s`', (command) => {
  expect(findUnsafe(`text\n${command}\n`)).toHaveLength(1)
})

test('the guides for each reader begin with the command that installs', () => {
  for (const path of [
    'README.md',
    'docs/start-docs-team.md',
    'docs/start-api-team.md',
    'docs/start-platform-team.md',
    'docs/start-gitlab.md',
    'docs/adopting.md',
  ])
    expect(readFileSync(join(projectFolder, path), 'utf8'), path).toContain(`\n${installCommand}\n`)
})

test('an installation from Git on an old Node.js ends with one line that names what it needs', () => {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`
  const env = { ...process.env, npm_command: 'install' }
  const script = join(projectFolder, 'scripts/prepare.mjs')
  const run = spawnSync(process.execPath, ['--import', old, script], { cwd: makeTemporaryFolder(), env, encoding: 'utf8' })
  expect(run.stderr).toMatch(/^openapi-pages needs Node\.js 24, or 22\.19 and later, but this is 20\.11\.0\. .*\n$/)
  expect(run.status).toBe(1)
})
