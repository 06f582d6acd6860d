import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

let bundled: URL | undefined

/**
 * The program that the app starts for every check, as one file of JavaScript: it starts in a quarter of the time that its TypeScript modules
 * take. Bundled once in each worker, inside of the package because the process may read nothing else.
 */
export function bundleCheckProgram(): URL {
  if (bundled) return bundled
  const folder = join(root, 'build/test', process.env['VITEST_POOL_ID'] ?? '')
  mkdirSync(folder, { recursive: true })
  const { outputFiles } = buildSync({
    entryPoints: ['check-child.ts', 'untrusted-watchdog.ts'].map((name) => join(root, 'src/app/run', name)),
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  })
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.new`, contents)
    renameSync(`${path}.new`, path)
  }
  const entry = outputFiles.find(({ path }) => basename(path) === 'check-child.js')
  if (!entry) throw new Error('Expected esbuild to write check-child.js')
  bundled = pathToFileURL(entry.path)
  return bundled
}
