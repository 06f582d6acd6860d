import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { startStamp } from './build-stamp.ts'
import { collectLicenses } from './collect-licenses.ts'
import { onlyNeededMermaid } from './mermaid-parts.ts'
import { packIconSets } from './pack-icons.ts'
import { replaceFolder } from './replace-folder.ts'
import { loadTogether, shareWithLater } from './site-chunks.ts'

// Builds everything that runs: build/js with the compiler, then the bundles of the Action (dist/action, committed) and of the CLI with
// the module API (build/cli). It does not check types: `npm run types`.
// With the CLI, it builds the other published parts: the types of the module API (build/types), the browser files of a site (build/site),
// the icon sets (build/icons) and the app (build/server). The app starts programs in build/app for each check and each site. build/licenses
// has the licenses of bundled packages. `scripts/pack.ts` makes the packages.
// Usage: `node scripts/build.ts [action|cli] [--to folder]`. Without a name, builds both.
const root = join(import.meta.dirname, '..')
const bundles = {
  action: { input: { index: 'action/main' }, folder: 'dist/action', target: 'node20.11' },
  cli: { input: { index: 'cli/main', api: 'index' }, folder: 'build/cli', target: 'node22.19' },
} as const
/** With their packages in few files, programs start three to five times as fast. */
const appPrograms = [
  { input: { main: 'app/main' }, folder: 'build/server', target: 'node22.19' },
  {
    input: Object.fromEntries(['check-child', 'site-child', 'untrusted-watchdog'].map((name) => [name, `app/run/${name}`])),
    folder: 'build/app',
    target: 'node22.19',
  },
]

const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
const unknown = asked.filter((name) => !Object.hasOwn(bundles, name))
if (unknown.length > 0 || (values.to !== undefined && asked.length !== 1)) {
  const names = Object.keys(bundles).join(' or ')
  console.error(`Unexpected \`${process.argv.slice(2).join(' ')}\`, expected ${names}, and \`--to\` with one of them`)
  process.exit(2)
}

mkdirSync(join(root, 'build'), { recursive: true })
const temporary = mkdtempSync(join(root, 'build/temporary-'))
const writeStamp = startStamp(root)
try {
  const compiled = join(temporary, 'js')
  runTool('typescript', 'tsc', ['-p', 'tsconfig.json', '--noCheck', '--outDir', compiled])
  replaceFolder(compiled, join(root, 'build/js'))
  if (asked.length === 0 || asked.includes('cli')) {
    packIconSets(join(temporary, 'icons'))
    replaceFolder(join(temporary, 'icons'), join(root, 'build/icons'))
    copyTypes(compiled, join(temporary, 'types'))
    replaceFolder(join(temporary, 'types'), join(root, 'build/types'))
    const ofSites = await bundleForBrowsers()
    const ofCli = await bundle({ ...bundles.cli, folder: values.to ?? bundles.cli.folder, hasHash: true })
    const ofApp: string[] = []
    for (const program of appPrograms) ofApp.push(...(await bundle(program)))
    const licenses = join(temporary, 'licenses')
    writeLicenses(licenses, 'openapi-pages.txt', [...ofCli, ...ofSites])
    writeLicenses(licenses, 'openapi-pages-app.txt', [...ofApp, ...ofSites])
    replaceFolder(licenses, join(root, 'build/licenses'))
  }
  if (asked.length === 0 || asked.includes('action'))
    await bundle({ ...bundles.action, folder: values.to ?? bundles.action.folder, hasLicenses: true })
  if (asked.length === 0) writeStamp()
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * The scripts and the stylesheet of a site: small, without source maps, reproducible from the same source.
 *
 * @returns The paths of the bundled modules.
 */
async function bundleForBrowsers(): Promise<string[]> {
  const folder = join(temporary, 'site')
  const ofPages = await bundleScripts(folder, [
    'src/site/client/theme.ts',
    'src/site/client/page.ts',
    'src/site/client/oauth.ts',
    'src/site/client/preview.ts',
    'src/site/render/theme/site.css',
    'src/site/render/theme/playground.css',
    'src/site/render/theme/preview.css',
  ])
  const diagrams = join(temporary, 'diagrams')
  const ofDiagrams = await bundleScripts(diagrams, ['src/site/client/diagrams/diagrams.ts'])
  writeLicenses(diagrams, 'licenses.txt', ofDiagrams)
  packDiagrams(diagrams, join(folder, 'diagrams'))
  replaceFolder(folder, join(root, 'build/site'))
  return [...ofPages, ...ofDiagrams]
}

/** Writes the scripts for diagrams as one compressed file, because only sites with diagrams contain them. They take a third of the package otherwise. */
function packDiagrams(from: string, to: string): void {
  const files = readdirSync(from)
    .sort()
    .map((name) => [name, readFileSync(join(from, name), 'utf8')] as const)
  const entry = files.find(([name]) => name === 'diagrams.js')
  // Chunks have a name with a hash already.
  const hashed = `diagrams-${createHash('sha256')
    .update(entry?.[1] ?? '')
    .digest('hex')
    .slice(0, 8)}`
  const scripts = Object.fromEntries(files.map(([name, text]) => [name === 'diagrams.js' ? `${hashed}.js` : name, text]))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  mkdirSync(to)
  writeFileSync(join(to, `${hashed}.json.br`), brotliCompressSync(JSON.stringify(scripts), { params }))
}

function writeLicenses(folder: string, name: string, modules: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), collectLicenses(modules))
}

/** Copies the declarations that the module API reaches. They import nothing but each other, so the package needs no other types. */
function copyTypes(from: string, to: string): void {
  const files = new Set(['index.d.ts'])
  for (const file of files) {
    const text = readFileSync(join(from, file), 'utf8').replace(/(from\s+|import\()'(\.[^']*)\.ts'/g, "$1'$2.js'")
    for (const [, path = ''] of text.matchAll(/(?:from\s+|import\()'([^']+)\.js'/g))
      files.add(`${join(dirname(file), path)}.d.ts`)
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), text)
  }
}

/** Returns the paths of the bundled modules. */
async function bundleScripts(folder: string, entryPoints: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: entryPoints.map((path) => join(root, path)),
    outdir: folder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    // Supported by the browsers of the last two years.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    plugins: [shareWithLater(root), onlyNeededMermaid],
  })
  // Paths of a metafile are relative to the directory in which the build was started.
  for (const name of Object.keys(metafile.outputs).filter((path) => path.endsWith('.js'))) {
    const file = resolve(name)
    writeFileSync(file, loadTogether(readFileSync(file, 'utf8'), name, metafile))
  }
  return Object.keys(metafile.inputs).map((path) => resolve(path))
}

/**
 * Bundles programs for Node.js with their packages. What they load by `import()` is in other files.
 *
 * @returns The paths of the bundled modules.
 */
async function bundle(program: {
  /** Entry points in `build/js` by name. */
  readonly input: Readonly<Record<string, string>>
  readonly folder: string
  readonly target: string
  /** With a file that identifies the content. */
  readonly hasHash?: boolean
  /** With the licenses of the bundled packages. Those of packages on npm are in one file per package. */
  readonly hasLicenses?: boolean
}): Promise<string[]> {
  const bundled = join(temporary, 'bundle')
  const entries = Object.entries(program.input).map(([name, path]) => [name, join(root, 'build/js', `${path}.js`)])
  const code = await rolldown({
    input: Object.fromEntries(entries),
    cwd: root,
    platform: 'node',
    // It loads files next to it.
    external: ['playwright-core'],
    // Where a package has both forms, the one from which unused code can be removed.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: program.target },
    checks: {
      // A module that one program loads later can be part of another one from its start.
      ineffectiveDynamicImport: false,
      // The request queue of Octokit loads a Redis client this way, which the app does not use.
      eval: false,
    },
  })
  const { output } = await code.write({
    dir: bundled,
    cleanDir: true,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    // Names of functions and classes appear in the stack of an unexpected error.
    minify: { compress: true, mangle: { keepNames: true }, codegen: true },
    comments: false,
  })
  await code.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  if (program.hasLicenses) writeLicenses(bundled, 'licenses.txt', modules)
  // The nearest package.json sets the module type of the files.
  writeFileSync(join(bundled, 'package.json'), `${JSON.stringify({ type: 'module' }, null, 2)}\n`)
  if (program.hasHash) writeFileSync(join(bundled, 'content-hash.txt'), hashFiles([bundled, join(root, 'build/icons')]))
  replaceFolder(bundled, resolve(root, program.folder))
  return modules
}

/** `build` uses it to find out whether this version rendered the pages in its memory. */
function hashFiles(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 32)
}

function runTool(packageName: string, bin: string, args: readonly string[]): void {
  const folder = join(root, 'node_modules', packageName)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) throw new Error(`Cannot find ${packageName}: run \`npm ci\` first`)
  // npm has validated the manifests of the packages that it installed.
  const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  const path = typeof bins === 'string' ? bins : bins[bin]
  execFileSync(process.execPath, [join(folder, path ?? ''), ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}
