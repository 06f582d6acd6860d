// npm runs this when it installs the package from Git, as pre-commit does: `prepack` does not run then. `npm ci` in a clone builds nothing.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** `ci`, or `install-ci-test` for `npm cit`. */
const isCleanInstall = /\bci\b/.test(process.env.npm_command ?? '')
if (!isCleanInstall && !existsSync('build/cli/index.js')) {
  await import('./require-node.mjs')
  // `npm install --global` with a Git repository installs no development packages.
  if (!existsSync('node_modules')) run(process.env.npm_execpath ?? 'npm', 'ci', '--no-global')
  run('scripts/build.ts', 'cli')
}

/** @param {string[]} args */
function run(...args) {
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}
