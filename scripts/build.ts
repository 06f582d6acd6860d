import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { bundle as bundleStyles } from 'lightningcss'
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown'
import { startStamp } from './build-stamp.ts'
import { collectLicenses } from './collect-licenses.ts'
import { onlyNeededMermaid } from './mermaid-parts.ts'
import { packedGrammars } from './pack-grammars.ts'
import { packIconSets } from './pack-icons.ts'
import { replaceFolder } from './replace-folder.ts'
import { loadTogether, onlyOwnTexts, shareWithLater } from './site-chunks.ts'

// Builds everything that runs: build/js with the compiler, then the bundles of the Action (dist/action, committed) and of the CLI with
// the module API (build/cli). It does not check types: `npm run types`.
// With the CLI, it builds the other published parts: the types of the module API (build/types), the browser files of a site (build/site),
// the icon sets (build/icons) and the app (build/server). The app starts programs in build/app for each check and each site. build/licenses
// has the licenses of bundled packages. `scripts/pack.ts` makes the packages.
// Usage: `node scripts/build.ts [action|cli] [--to folder]`. Without a name, builds both.
const root = join(import.meta.dirname, '..')
const folders = { action: 'dist/action', cli: 'build/cli' } as const
/** With their packages in few files, programs start three to five times as fast. */
const appPrograms = [
  { input: { main: 'app/main' }, folder: 'build/server' },
  {
    input: {
      'check-child': 'app/check/check-child',
      'site-child': 'app/publish/site-child',
      'untrusted-watchdog': 'app/isolate/untrusted-watchdog',
    },
    folder: 'build/app',
  },
]
/** The oldest versions that each bundle supports. Browsers: those of the last two years. */
const targets = {
  action: 'node20.11',
  programs: 'node22.19',
  scripts: ['chrome123', 'firefox128', 'safari17.5'],
  styles: { chrome: 123 << 16, firefox: 128 << 16, safari: (17 << 16) | (5 << 8) },
}
/** Inter, for text of sites that choose it. */
const fonts = [
  {
    path: join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    name: 'inter.woff2',
  },
]
/** Names of functions and classes appear in the stack of an unexpected error. */
const minify = { mangle: { keepNames: true }, codegen: true }
const checks = {
  // A module that one program loads later can be part of another one from its start.
  ineffectiveDynamicImport: false,
  // The request queue of Octokit loads a Redis client this way, which the app does not use.
  eval: false,
}

const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
const unknown = asked.filter((name) => !Object.hasOwn(folders, name))
if (unknown.length > 0 || (values.to !== undefined && asked.length !== 1)) {
  const names = Object.keys(folders).join(' or ')
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
    copyTypes(join(compiled, 'src'), join(temporary, 'types'))
    replaceFolder(join(temporary, 'types'), join(root, 'build/types'))
    const ofSites = await bundleForBrowsers()
    const ofCli = await bundle({ input: { index: 'cli/main', api: 'index' }, folder: values.to ?? folders.cli, isCli: true })
    const ofApp: string[] = []
    for (const program of appPrograms) ofApp.push(...(await bundle(program)))
    const licenses = join(temporary, 'licenses')
    writeLicenses(licenses, 'openapi-pages.txt', [...ofCli, ...ofSites])
    writeLicenses(licenses, 'openapi-pages-app.txt', [...ofApp, ...ofSites])
    replaceFolder(licenses, join(root, 'build/licenses'))
  }
  if (asked.length === 0 || asked.includes('action')) {
    const folder = values.to ?? folders.action
    const ofAction = await bundle({
      input: { index: 'action/main' },
      folder,
      target: targets.action,
      fileNames: '[name].js',
      // Without the entry point: it waits for others, which may not wait for it.
      start: /(?<!action\/main\.js)$/,
    })
    writeFileSync(resolve(root, folder, 'review.css'), bundleSheet('review.css'))
    writeLicenses(resolve(root, folder), 'licenses.txt', ofAction)
  }
  if (asked.length === 0) writeStamp()
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * The scripts and the stylesheets of a site: small, without source maps, reproducible from the same source.
 *
 * @returns The paths of the bundled modules.
 */
async function bundleForBrowsers(): Promise<string[]> {
  const folder = join(temporary, 'site')
  const ofPages = await bundleScripts(folder, ['theme', 'page', 'oauth', 'send-feedback', 'preview'])
  for (const name of ['site.css', 'playground.css', 'preview.css', 'review.css']) {
    writeFileSync(join(folder, name), bundleSheet(name))
  }
  writeFileSync(join(folder, 'site.css'), drawIcons(), { flag: 'a' })
  mkdirSync(join(folder, 'looks'))
  for (const name of ['compact', 'soft']) {
    writeFileSync(join(folder, 'looks', `${name}.css`), bundleSheet(`looks/${name}/look.css`))
  }
  mkdirSync(join(folder, 'fonts'))
  for (const { path, name } of fonts) copyFileSync(path, join(folder, 'fonts', name))
  const diagrams = join(temporary, 'diagrams')
  const ofDiagrams = await bundleScripts(diagrams, ['diagrams/diagrams'])
  writeLicenses(diagrams, 'licenses.txt', ofDiagrams)
  packDiagrams(diagrams, join(folder, 'diagrams'))
  replaceFolder(folder, join(root, 'build/site'))
  return [...ofPages, ...ofDiagrams, ...fonts.map(({ path }) => path)]
}

/** A stylesheet in `src/site/page/theme` with those that it imports. */
function bundleSheet(name: string): Uint8Array {
  return bundleStyles({ filename: join(root, 'src/site/page/theme', name), minify: true, targets: targets.styles }).code
}

/** The rules that draw the built-in icons of pages, which `base.css` shows in the color of the text. */
function drawIcons(): string {
  const drawings: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'texts/drawn-icons.json'), 'utf8'))
  const stroke = "stroke='#000' stroke-width='1.5' stroke-linecap='round' stroke-linejoin='round'"
  const start = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' ${stroke}>`
  const draw = ([name, shapes]: [string, string]) => {
    const svg = `${start}${shapes.replaceAll('"', "'")}</svg>`.replace(/[#<>]/g, encodeURIComponent)
    return `.i-${name}{--drawing:url("data:image/svg+xml,${svg}")}`
  }
  return Object.entries(drawings).map(draw).join('')
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
    // The compiler writes its own imports with double quotes.
    const text = readFileSync(join(from, file), 'utf8')
      .replace(/(from\s+|import\()(['"])(\.[^'"]*)\.ts\2/g, "$1'$3.js'")
      // Of data, the types only name the keys.
      .replace(/^import (\w+) from ['"]([^'"]+\.json)['"].*$/gm, (_match, name: string, path: string) => {
        const keys = Object.keys(JSON.parse(readFileSync(join(from, dirname(file), path), 'utf8')))
        return `declare const ${name}: Record<${keys.map((key) => `'${key}'`).join(' | ')}, unknown>;`
      })
    for (const [, path = ''] of text.matchAll(/(?:from\s+|import\()'([^']+)\.js'/g))
      files.add(`${join(dirname(file), path)}.d.ts`)
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), text)
  }
}

/**
 * @param names Scripts in `src/site/client`.
 * @returns The paths of the bundled modules.
 */
async function bundleScripts(folder: string, names: readonly string[]): Promise<string[]> {
  const code = await rolldown({
    input: names.map((name) => join(root, 'src/site/client', `${name}.ts`)),
    cwd: root,
    platform: 'browser',
    tsconfig: join(root, 'tsconfig.browser.json'),
    // `h` instead of the JSX runtime, and constants in their place: 2 % smaller.
    transform: {
      target: targets.scripts,
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
    optimization: { inlineConst: true },
    plugins: [onlyOwnTexts(root), shareWithLater(root), onlyNeededMermaid, loadTogether],
    checks,
  })
  const { output } = await code.write({
    dir: folder,
    format: 'esm',
    // Different on file systems that ignore case, too.
    hashCharacters: 'base36',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: false,
  })
  await code.close()
  return listModules(output)
}

/**
 * Bundles programs for Node.js with their packages. What they load by `import()` is in other files.
 *
 * @returns The paths of the bundled modules.
 */
async function bundle(program: {
  /** Entry points in `build/js/src` by name. */
  readonly input: Readonly<Record<string, string>>
  readonly folder: string
  /** With a file that identifies the content, and the example workflows that `init` writes. */
  readonly isCli?: boolean
  /** The oldest version of Node.js. */
  readonly target?: string
  /** Without a hash, a diff of committed files shows what changed. */
  readonly fileNames?: string
  /** The modules that are one file if each run needs them: each further file takes almost a millisecond of CPU. */
  readonly start?: RegExp
}): Promise<string[]> {
  const bundled = join(temporary, 'bundle')
  const entries = Object.entries(program.input).map(([name, path]) => [name, join(root, 'build/js/src', `${path}.js`)])
  const code = await rolldown({
    input: Object.fromEntries(entries),
    cwd: root,
    platform: 'node',
    // It loads files next to it.
    external: ['playwright-core'],
    // Where a package has both forms, the one from which unused code can be removed.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: program.target ?? targets.programs },
    plugins: [packedGrammars],
    checks,
  })
  const { output } = await code.write({
    dir: bundled,
    cleanDir: true,
    format: 'esm',
    chunkFileNames: program.fileNames ?? '[name]-[hash].js',
    ...(program.start && { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: program.start }] } }),
    minify: { compress: true, ...minify },
    comments: false,
  })
  await code.close()
  // The nearest package.json sets the module type of the files.
  writeFileSync(join(bundled, 'package.json'), `${JSON.stringify({ type: 'module' }, null, 2)}\n`)
  if (program.isCli) {
    writeFileSync(join(bundled, 'content-hash.txt'), hashFiles([bundled, join(root, 'build/icons')]))
    for (const name of ['ci', 'workflows'])
      cpSync(join(root, 'examples', name), join(bundled, 'examples', name), { recursive: true })
  }
  replaceFolder(bundled, resolve(root, program.folder))
  return listModules(output)
}

function listModules(output: readonly (OutputChunk | OutputAsset)[]): string[] {
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
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
