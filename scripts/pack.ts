import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes the npm packages from the last build: `node scripts/pack.ts [folder]`, by default into build/packages. Each one is in a folder
// with its name, and in a tarball with its name and version.

/** A package on npm and its content. The directory `source` contains its manifest. */
interface Package {
  readonly name: string
  readonly source: string
  /** Paths in the repository with their paths in the package. */
  readonly files: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const same = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, path]))
const inBoth = same('build/icons', 'build/site', 'CHANGELOG.md', 'LICENSE', 'bin/compile-cache.cjs')

const packages: readonly Package[] = [
  {
    name: 'openapi-pages',
    source: 'packages/cli',
    files: {
      ...inBoth,
      ...same('README.md', 'bin/openapi-pages.cjs', 'build/cli', 'build/types'),
      'build/licenses/openapi-pages.txt': 'THIRD_PARTY_LICENSES',
      'docs/schemas': 'schemas',
    },
  },
  {
    name: 'openapi-pages-app',
    source: 'packages/app',
    files: {
      ...inBoth,
      ...same('app.yml', 'bin/serve.js', 'bin/health.js', 'build/app', 'build/server'),
      'deploy/openapi-pages.service': 'openapi-pages.service',
      'deploy/openapi-pages-command.sh': 'openapi-pages-command.sh',
      'packages/app/README.md': 'README.md',
      'build/licenses/openapi-pages-app.txt': 'THIRD_PARTY_LICENSES',
    },
  },
]

/** A package that was made, with absolute paths. */
export interface PackedPackage {
  readonly name: string
  readonly folder: string
  readonly tarball: string
}

/** Fields that both packages share with the repository. */
const sharedFields = ['version', 'license', 'repository', 'engines'] as const

/**
 * Makes both packages, first the one of the command line.
 *
 * @param to An absolute path. Packages of earlier calls in it are replaced.
 * @param releaseCommit The commit that the tag of the release names. `init` pins the Action to it. Absent if this is no release.
 * @throws {Error} if the build is incomplete.
 */
export function packPackages(to: string, releaseCommit?: string): readonly PackedPackage[] {
  const shared: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return packages.map(({ name, source, files }) => {
    const folder = join(to, name)
    rmSync(folder, { recursive: true, force: true })
    for (const [from, path] of Object.entries(files)) {
      if (!existsSync(join(root, from))) throw new Error(`Cannot find ${from}: run \`npm run build\` first`)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      cpSync(join(root, from), join(folder, path), { recursive: true })
    }
    const cli = join(folder, 'build/cli')
    if (existsSync(cli)) {
      writeFileSync(join(folder, 'codes.json'), execFileSync(process.execPath, [join(cli, 'index.js'), 'explain', '--json']))
      if (releaseCommit !== undefined) writeFileSync(join(cli, 'release-commit.txt'), `${releaseCommit}\n`)
    }
    const manifest: object = JSON.parse(readFileSync(join(root, source, 'package.json'), 'utf8'))
    const complete = { ...manifest, ...Object.fromEntries(sharedFields.map((field) => [field, shared[field]])) }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`)
    const args = ['pack', folder, '--pack-destination', to, '--ignore-scripts', '--loglevel=error', '--json']
    // On Windows, npm is a batch file.
    const output = execFileSync('npm', args, { cwd: to, encoding: 'utf8', shell: process.platform === 'win32' })
    const [{ filename }] = JSON.parse(output) as [{ filename: string }] // Documented in `npm help pack`.
    return { name, folder, tarball: join(to, filename) }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const to = resolve(process.argv[2] ?? join(root, 'build/packages'))
  mkdirSync(to, { recursive: true })
  for (const { tarball } of packPackages(to)) console.log(tarball)
}
