// Plain JavaScript for every Node version: on an old Node, an installation from Git and `npm test` should print one line instead of a
// stack of syntax errors.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19) || major === 23) {
  console.error(
    `openapi-pages needs Node.js 24, or 22.19 and later, but this is ${process.versions.node}. ` +
      'For the tests, run `npm ci` first. It installs Node.js 24 (the `node` package, with its install script).',
  )
  process.exit(1)
}
