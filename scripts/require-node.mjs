// Plain JavaScript that any Node reads: `npm test` on an old Node should say so in one line, not in a stack of syntax errors.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19) || major === 23) {
  console.error(
    `openapi-pages: the tests need Node 22.19 or later, this is ${process.versions.node}. ` +
      'Run `npm ci` first: it installs Node 24 beside the tests (the `node` package, allowed to run its install script).',
  )
  process.exit(1)
}
