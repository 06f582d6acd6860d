import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packageVersion } from '../src/docs/config/config-files.ts'
import { packPackages } from './pack.ts'
import { readReleaseNotes } from './release-notes.ts'

// Prepares a release from the last build: everything that needs no credentials. The release workflow publishes the files.
// Usage: `node scripts/release.ts (v1.2.3 | --dry-run) [--to folder]`, by default into build/release. The folder then contains the
// packages, their SBOMs, the pairs of documents for API changes, the checksums, the release notes, and `installed/` with the packages as a user installs them.
// A dry run accepts a version without an entry in CHANGELOG.md.
//
// `node scripts/release.ts --placeholder [--to folder]` makes the packages that are published before the first release, by default in
// build/placeholder: npm accepts a trusted publisher only for a package that exists.

/** The parts of a CycloneDX 1.5 document that are used. */
interface Sbom {
  readonly metadata: { readonly component: SbomComponent }
  readonly components: readonly SbomComponent[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface SbomComponent {
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
}

const root = join(import.meta.dirname, '..')
const isWindows = process.platform === 'win32'
const packageNames = ['openapi-pages', 'openapi-pages-app'] as const
/** The version of the packages that are published before the first release. */
const placeholderVersion = '0.0.0'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    placeholder: { type: 'boolean', default: false },
    to: { type: 'string' },
  },
})
const [tag] = positionals
if (values.placeholder) {
  writePlaceholders(resolve(values.to ?? join(root, 'build/placeholder')))
  process.exit()
}
if (positionals.length > 1 || (tag === undefined) !== values['dry-run'])
  throw new Error('Expected a tag such as `v1.2.3`, `--dry-run` or `--placeholder`')

const to = resolve(values.to ?? join(root, 'build/release'))
report('version', checkVersion())
rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
writeFileSync(join(to, 'notes.md'), `${readReleaseNotes(tag ?? `v${packageVersion}`, { orUnreleased: values['dry-run'] })}\n`)
// The release workflow runs on the commit of the tag.
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const packed = packPackages(to, commit)
const sbomOfRepository = listPackages()
for (const { name, folder } of packed) writeSbom(name, folder, sbomOfRepository)
const suite = writeSuite()
report('checksums', writeChecksums())
for (const { tarball } of packed) await lintPackage(tarball)
for (const { name, tarball } of packed) tryPackage(name, tarball)

function report(step: string, result: string): void {
  console.log(`✔ ${step}: ${result}`)
}

/** Writes the packages that only reserve their names. */
function writePlaceholders(folder: string): void {
  const shared: { license: string; repository: unknown } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { license, repository } = shared
  for (const name of packageNames) {
    const path = join(folder, name)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
    const description = `Reserves the name for the first release of ${name}`
    writeFileSync(
      join(path, 'package.json'),
      `${JSON.stringify({ name, version: placeholderVersion, description, license, repository }, null, 2)}\n`,
    )
    writeFileSync(join(path, 'README.md'), `# ${name}\n\n${description}. Install a later version.\n`)
    console.log(path)
  }
}

/** @throws {Error} if the tag, the manifest, the lock file and the program do not have the same version. */
function checkVersion(): string {
  const read = (path: string): { version: string } => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const versions = {
    'package.json': read('package.json').version,
    'package-lock.json': read('package-lock.json').version,
    'src/docs/config/config-files.ts': packageVersion,
  }
  const wanted = tag?.replace(/^v/, '') ?? packageVersion
  if (wanted === placeholderVersion) throw new Error(`${wanted} is the version of the placeholder packages, expected a later one`)
  for (const [path, version] of Object.entries(versions))
    if (version !== wanted) throw new Error(`${path} has version ${version}, expected ${wanted}`)
  return wanted
}

/** All packages of the repository, also those that only its tests need. */
function listPackages(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: isWindows, maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(text) as Sbom // Documented by CycloneDX.
}

/**
 * Writes the packages that a package contains or depends on. It contains those whose license it contains.
 */
function writeSbom(name: string, folder: string, sbom: Sbom): void {
  const manifest: { dependencies?: object } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const licenses = readFileSync(join(folder, 'THIRD_PARTY_LICENSES'), 'utf8').split(`\n\n${'-'.repeat(80)}\n\n`)
  const bundled = licenses.map((entry) => entry.slice(0, entry.indexOf('\n')).replace(' ', '@'))
  const needed = Object.entries(manifest.dependencies ?? {}).map(([dependency, version]) => `${dependency}@${version}`)
  const contained = new Set([...bundled, ...needed])
  const components = sbom.components
    .filter((one) => contained.has(`${one.name}@${one.version}`))
    .map((one) => ({ ...one, scope: 'required', properties: [] }))
  const refs = new Set(components.map((one) => one['bom-ref']))
  if (refs.size !== contained.size) throw new Error(`${name} contains packages that package-lock.json does not name`)
  const reference = `${name}@${packageVersion}`
  const purl = `pkg:npm/${name}@${packageVersion}`
  const component = { ...sbom.metadata.component, name, 'bom-ref': reference, purl, properties: [] }
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const ofPackage = {
    ...sbom,
    metadata: { ...sbom.metadata, component },
    components,
    dependencies: [{ ref: reference, dependsOn: [...refs] }, ...dependencies],
  }
  writeFileSync(join(to, `${name}-${packageVersion}.cdx.json`), `${JSON.stringify(ofPackage, null, 2)}\n`)
  report('SBOM', `${name} contains ${components.length} packages`)
}

/** The pairs of documents for API changes, for tools that do not use this repository. Returns the archive. */
function writeSuite(): string {
  const name = 'api-changes-suite'
  const archive = join(to, `${name}-${packageVersion}.tgz`)
  cpSync(join(root, 'test/changes/suite'), join(to, name), { recursive: true })
  execFileSync(process.execPath, [join(root, 'scripts/write-change-suite.ts'), join(to, name, 'pairs')])
  execFileSync('tar', ['-czf', archive, '-C', to, name])
  rmSync(join(to, name), { recursive: true })
  return archive
}

/** In the format of `sha256sum --check`. */
function writeChecksums(): string {
  const ofPackages = packed.flatMap(({ name, tarball }) => [tarball, join(to, `${name}-${packageVersion}.cdx.json`)])
  const paths = [...ofPackages, suite]
  const lines = paths.map((path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}\n`)
  writeFileSync(join(to, 'SHA256SUMS'), lines.join(''))
  return `${paths.length} files`
}

/** @throws {Error} with the problems that publint finds. */
async function lintPackage(tarball: string): Promise<void> {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const { messages, pkg } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) }, strict: true })
  if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'))
  report('publint', basename(tarball))
}

/** Installs a package into a directory with its name and runs it. */
function tryPackage(name: string, tarball: string): void {
  const folder = join(to, 'installed', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const began = performance.now()
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, tarball], { cwd: folder, stdio: 'pipe', shell: isWindows })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const run = (...args: string[]) => {
    // With this version of Node.js, and without the packages of the repository.
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
    return execFileSync(join(folder, 'node_modules/.bin', name), args, { cwd: folder, encoding: 'utf8', env, shell: isWindows })
  }
  const version = run('--version').trim()
  if (version !== packageVersion) throw new Error(`${name} printed version ${version}`)
  if (name === 'openapi-pages') {
    run('check', join(root, 'examples/petstore/openapi.yaml'), '--boundary', root)
    tryInit(folder, run)
  } else run('token', '--help')
  report('install', `${name} in ${seconds} s`)
}

/** @throws {Error} if the workflows that `init` writes use another commit of the Action than that of the release. */
function tryInit(folder: string, run: (...args: string[]) => string): void {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  cpSync(join(root, 'examples/petstore/openapi.yaml'), join(repository, 'openapi.yaml'))
  execFileSync('git', ['init', '--quiet'], { cwd: repository })
  run('init', repository, '--yes', '--host', 'github')
  const workflow = readFileSync(join(repository, '.github/workflows/api-check.yml'), 'utf8')
  if (!workflow.includes(`uses: openapi-pages/openapi-pages@${commit} # v${packageVersion}\n`))
    throw new Error(`Expected \`init\` to pin the Action to ${commit}:\n${workflow}`)
  report('init', `pins the Action to ${commit.slice(0, 7)} # v${packageVersion}`)
}
