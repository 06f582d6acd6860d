import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { startStamp } from './build-stamp.ts'
import { collectLicenses } from './collect-licenses.ts'
import { onlyNeededMermaid } from './mermaid-parts.ts'
import { packIconSets } from './pack-icons.ts'
import { replaceFolder } from './replace-folder.ts'
import { loadTogether, shareWithLater } from './site-chunks.ts'

// Builds everything that runs: build/js with the compiler, then the bundles of the Action (dist/action, committed) and the CLI
// (build/cli, published). Also builds the browser files of a site (build/site, published), the icon sets (build/icons, published) and
// the program of the app that builds sites (build/app, published).
// Usage: `node scripts/build.ts [action|cli] [--to folder]`. Without a name, builds both.
const root = join(import.meta.dirname, '..')
const bundles = {
  action: { entry: 'build/js/action/main.js', folder: 'dist/action' },
  cli: { entry: 'build/js/cli/main.js', folder: 'build/cli' },
} as const

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
  runTool('typescript', 'tsc', ['-p', 'tsconfig.json', '--outDir', compiled])
  replaceFolder(compiled, join(root, 'build/js'))
  if (asked.length === 0 || asked.includes('cli')) {
    await bundleForBrowsers()
    await bundleSiteProgram()
    packIconSets(join(temporary, 'icons'))
    replaceFolder(join(temporary, 'icons'), join(root, 'build/icons'))
  }
  for (const [name, { entry, folder }] of Object.entries(bundles)) {
    if (asked.length === 0 || asked.includes(name)) bundle(name, entry, resolve(values.to ?? join(root, folder)))
  }
  if (asked.length === 0) writeStamp()
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
}

/** The scripts and the stylesheet of a site: small, without source maps, reproducible from the same source. */
async function bundleForBrowsers(): Promise<void> {
  const folder = join(temporary, 'site')
  await bundleScripts(folder, [
    'src/site/client/theme.ts',
    'src/site/client/page.ts',
    'src/site/client/oauth.ts',
    'src/site/client/preview.ts',
    'src/site/render/theme/site.css',
    'src/site/render/theme/playground.css',
    'src/site/render/theme/preview.css',
  ])
  // In an own directory, because only sites with diagrams contain it.
  const modules = await bundleScripts(join(folder, 'diagrams'), ['src/site/client/diagrams/diagrams.ts'])
  writeLicenses(join(folder, 'diagrams'), modules)
  replaceFolder(folder, join(root, 'build/site'))
}

/** The program that the app starts for each site. With its packages in one file it starts three times as fast. */
async function bundleSiteProgram(): Promise<void> {
  const folder = join(temporary, 'app')
  const { metafile } = await build({
    entryPoints: ['site-child', 'untrusted-watchdog'].map((name) => join(root, `build/js/app/run/${name}.js`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    mainFields: ['module', 'main'],
    // Some packages are CommonJS.
    banner: { js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);" },
    metafile: true,
  })
  writeLicenses(folder, Object.keys(metafile.inputs))
  replaceFolder(folder, join(root, 'build/app'))
}

function writeLicenses(folder: string, modules: readonly string[]): void {
  const statistics = { modules: modules.map((path) => ({ identifier: resolve(path) })) }
  writeFileSync(join(folder, 'licenses.txt'), collectLicenses(statistics))
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
  return Object.keys(metafile.inputs)
}

function bundle(name: string, entry: string, folder: string): void {
  const bundled = join(temporary, name)
  const statistics = join(temporary, 'statistics.json')
  // Without the cache, so that two builds at the same time do not interfere.
  runTool('@vercel/ncc', 'ncc', ['build', entry, '-m', '-q', '-C', '-o', bundled, '--stats-out', statistics])
  refuseAssets(bundled)
  writeFileSync(join(bundled, 'licenses.txt'), collectLicenses(JSON.parse(readFileSync(statistics, 'utf8'))))
  // The nearest package.json sets the module type of the files.
  writeFileSync(join(bundled, 'package.json'), `${JSON.stringify({ type: 'module' }, null, 2)}\n`)
  if (name === 'cli') writeFileSync(join(bundled, 'content-hash.txt'), hashFiles([bundled, join(root, 'build/icons')]))
  replaceFolder(bundled, folder)
}

/** `build` uses it to find out whether this version rendered the pages in its memory. */
function hashFiles(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const name of readdirSync(folder).sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 32)
}

/**
 * `ncc` treats a call such as `resolve(a, b, 'docs.json')` as a reference to a project file. It copies all files with that name
 * beside the bundle and changes the code to look for them there.
 */
function refuseAssets(folder: string): void {
  const assets = readdirSync(folder).filter((name) => !name.endsWith('.js') && name !== 'package.json')
  if (assets.length > 0)
    throw new Error(`Unexpected ${assets.join(', ')} beside the bundle: ncc took a path in the code for a file to copy`)
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
