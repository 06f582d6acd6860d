import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestCase } from 'vitest/node'
import { startVitest } from 'vitest/node'

// Runs new users who follow the documentation, and prints the time of each command: `npm run build && node scripts/newcomers.ts`.
// The commands and what they must do are in `test/nightly/newcomers.test.ts`, which CI runs too.
//
//   --repository FOLDER   the first one adopts the files of this repository with a docs.json in place of a sample
//   --tree FOLDER         all commands run in this Debian tree, which has Git. Node.js and npm are copied into it. Needs root

const { values } = parseArgs({ options: { repository: { type: 'string' }, tree: { type: 'string' } } })
if (values.tree !== undefined) process.env['OPENAPI_PAGES_NEWCOMER_TREE'] = prepareTree(resolve(values.tree))
if (values.repository !== undefined) process.env['OPENAPI_PAGES_NEWCOMER_REPOSITORY'] = resolve(values.repository)

const results: { readonly title: string; readonly state: string; readonly seconds: string }[] = []
const reporter = {
  onTestCaseReady: ({ name }: TestCase) => console.log(`\nA newcomer ${name}`),
  onTestCaseResult: (test: TestCase) => {
    const { state, errors = [] } = test.result()
    for (const { stack, message } of errors) console.error(stack ?? message)
    results.push({ title: test.name, state, seconds: ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1) })
  },
}
const vitest = await startVitest('test', ['test/nightly/newcomers.test.ts', 'test/nightly/newcomer-shapes.test.ts'], {
  project: ['e2e'],
  watch: false,
  disableConsoleIntercept: true,
  reporters: [reporter],
})
await vitest.close()
const passed = results.filter(({ state }) => state === 'passed').length
console.log(
  `\n${passed} of ${results.length} newcomers succeed: ${results.map(({ title, seconds }) => `${title} ${seconds} s`).join(', ')}`,
)
if (passed === 0 || passed !== results.length) process.exitCode = 1

/** Copies Node.js and npm with its settings into a Debian tree, and returns its path. */
function prepareTree(tree: string): string {
  if (!existsSync(join(tree, 'usr/bin/git')))
    throw new Error(`Cannot find git in ${tree}. CONTRIBUTING.md describes how to make the tree`)
  if (!existsSync(join(tree, 'proc/self'))) throw new Error(`Run \`mount --bind /proc ${join(tree, 'proc')}\` first`)
  const npm = (...args: readonly string[]) => execFileSync('npm', args, { encoding: 'utf8' }).trim()
  const node = join(tree, 'usr/bin/node')
  rmSync(node, { force: true })
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  const modules = join(tree, 'usr/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  rmSync(join(modules, 'npm'), { recursive: true, force: true })
  const program = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
  cpSync(dirname(dirname(program)), join(modules, 'npm'), { recursive: true })
  for (const name of ['npm', 'npx']) {
    rmSync(join(tree, 'usr/bin', name), { force: true })
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(tree, 'usr/bin', name))
  }
  // The network of this machine, and its way to the registry.
  const settings = ['globalconfig', 'userconfig', 'cafile'].map((name) => npm('config', 'get', name))
  for (const path of [...settings, process.env['NODE_EXTRA_CA_CERTS'] ?? '', '/etc/resolv.conf', '/etc/hosts']) {
    if (!existsSync(path)) continue
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    copyFileSync(path, join(tree, path))
  }
  return tree
}
