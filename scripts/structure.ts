import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findImportCycles, findRepeatedNames, readSourceFiles } from './source-graph.ts'

// Prints statistics of the source structure as a Markdown table. `npx node scripts/structure.ts [FOLDER]`, where the folder is another
// checkout of this project.

const { positionals } = parseArgs({ allowPositionals: true })
const root = resolve(positionals[0] ?? join(import.meta.dirname, '..'))
const source = readSourceFiles(join(root, 'src'))
const tests = readSourceFiles(join(root, 'test')).filter(({ name }) => !name.startsWith('fixtures/'))
const lines = source.map(({ text }) => countLines(text)).sort((a, b) => a - b)
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
const cycles = findImportCycles(source)
const repeated = findRepeatedNames(source)
const npmPackage = readPackage()
const topFolders = new Set(source.flatMap(({ name }) => (name.includes('/') ? [name.slice(0, name.indexOf('/'))] : [])))

const rows: readonly (readonly [string, number | string])[] = [
  ['source files', source.length],
  ['median lines of a source file', lines[Math.floor(lines.length / 2)] ?? 0],
  ['source files up to 40 lines', lines.filter((count) => count <= 40).length],
  ['source files over 500 lines', lines.filter((count) => count > 500).length],
  ['top-level folders', topFolders.size],
  ['import cycles, types included', `${cycles.length} (${sum(cycles.map((cycle) => cycle.length))} files)`],
  ['file names used more than once', repeated.size],
  ['lines of source', sum(lines)],
  ['test files', tests.length],
  ['lines of tests', sum(tests.map(({ text }) => countLines(text)))],
  ['dist/, kB', kilobytes(sum(listSizes(join(root, 'dist'))))],
  ['npm package, files', npmPackage.entryCount],
  ['npm package, packed kB', kilobytes(npmPackage.size)],
  ['npm package, unpacked kB', kilobytes(npmPackage.unpackedSize)],
]
console.log('| what | now |\n| --- | ---: |')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
for (const [index, cycle] of cycles.entries()) console.log(`${index === 0 ? '\nCycles:\n' : ''}- ${cycle.join(' ')}`)
for (const [index, [name, files]] of [...repeated].entries())
  console.log(`${index === 0 ? '\nNames used more than once:\n' : ''}- ${name}: ${files.join(' ')}`)

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function listSizes(folder: string): number[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000)
}

interface Package {
  readonly size: number
  readonly unpackedSize: number
  readonly entryCount: number
}

/** The files that `npm publish` would upload, from the last build. */
function readPackage(): Package {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  const [found] = JSON.parse(text) as [Package] // Source: the documentation of `npm pack --json`.
  return found
}
