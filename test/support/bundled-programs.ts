import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { oncePerRun } from './once-per-run.ts'

// Programs that tests start often, each bundled with its packages into one JavaScript file, which starts five times as fast.

const root = join(import.meta.dirname, '../..')
// Inside the package, because a program that checks documents may not read anything else.
const folder = join(root, 'build/test')

/** With its thread, which it expects beside itself. */
const checkChild = ['src/app/check/check-child.ts', 'src/app/isolate/untrusted-watchdog.ts']

const bundled = new Set<string>()

/** The program that the app starts for every check. */
export function bundleCheckProgram(): URL {
  return pathToFileURL(bundle('check', checkChild))
}

/** The app as `run-app.ts` starts it. It checks documents and builds sites with the programs in `build/app`, which it expects beside its folder. */
export function bundleApp(): string {
  return bundle('app', ['test/support/run-app.ts'], join(root, 'build/test-app'))
}

/** The same with a schema of a later version. */
export function bundleNewerApp(): string {
  return bundle('newer-app', ['test/support/run-newer-app.ts'], join(root, 'build/test-app'))
}

/** The arguments of Node.js that run a command of the app. It can check documents but not build sites. */
export function toCommand(words: readonly string[]): string[] {
  const commands = JSON.stringify(pathToFileURL(bundle('commands', ['src/app/main.ts', ...checkChild])))
  const program = `process.exitCode = await (await import(${commands})).main(process.argv.slice(1))`
  return ['--input-type=module', '-e', program, '--', ...words]
}

/** Bundles once for each run. @returns The path of the first entry point. */
function bundle(name: string, entryPoints: readonly string[], outdir = join(folder, name)): string {
  const [first = ''] = entryPoints
  const path = join(outdir, first.slice(first.lastIndexOf('/') + 1).replace(/\.ts$/, '.js'))
  if (bundled.has(name)) return path
  oncePerRun(name, () => makeBundle(entryPoints, outdir))
  bundled.add(name)
  return path
}

function makeBundle(entryPoints: readonly string[], outdir: string): void {
  const files = entryPoints.map((entry) => join(outdir, entry.slice(entry.lastIndexOf('/') + 1).replace(/\.ts$/, '.js')))
  // Another test run may be reading the files.
  const toTemporary = (file: string) => `${file}.${process.pid}`
  const builds = entryPoints.map((entry, index) => ({
    input: join(root, entry),
    cwd: root,
    platform: 'node',
    // It loads files next to it.
    external: ['playwright-core'],
    resolve: { mainFields: ['module', 'main'] },
    output: { file: toTemporary(files[index] ?? ''), codeSplitting: false },
    logLevel: 'silent',
  }))
  // Another process, because its caller waits for the files and rolldown has no synchronous function.
  const program = `import { build } from 'rolldown'\nawait build(${JSON.stringify(builds)})`
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const file of files) renameSync(toTemporary(file), file)
}
