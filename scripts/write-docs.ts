import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { installCommand } from '../src/docs/config/config-files.ts'
import { renderRequestMatrix } from '../test/support/request-matrix.ts'
import { renderDoorTable, renderFolderTable, renderPackageTable } from './architecture.ts'
import { renderCliReference } from './cli-reference.ts'
import { renderChangeCodes, renderDiagnosticCodes, renderLowerableCodes } from './code-pages.ts'
import { renderConfigSchema, renderLimits, renderSettings } from './config-schema.ts'
import { renderDocsConfigSchema } from './docs-config-schema.ts'
import { renderExampleSite } from './example-site.ts'
import { renderKeyTables } from './key-tables.ts'
import { recordOutput } from './record-output.ts'

// Writes the generated parts of the docs: text between markers, the reference of commands and codes, the JSON Schemas of docs.json and the configuration file, and the request matrix of
// the playground, and the site in examples. Also the list of settings and limits, and the command that installs the program, in all texts and examples. With `--check`, it only reports stale files. Needs `build/cli`.
const root = join(import.meta.dirname, '..')
const written: Record<string, string> = {
  'docs/action-reference.md': renderActionReference(read('docs/action-reference.md')),
  ...Object.fromEntries(
    ['README.md', 'docs/start-docs-team.md', 'docs/start-api-team.md', 'docs/adopting.md', 'docs/site.md'].map((path) => [
      path,
      recordOutput(read(path)),
    ]),
  ),
  'ARCHITECTURE-ROOMS.md': between(
    between(read('ARCHITECTURE-ROOMS.md'), 'folders', 'scripts/architecture.ts', renderFolderTable()),
    'doors',
    'scripts/architecture.ts',
    renderDoorTable(),
  ),
  'CONTRIBUTING.md': between(read('CONTRIBUTING.md'), 'packages', 'scripts/architecture.ts', renderPackageTable()),
  'docs/change-codes.md': between(read('docs/change-codes.md'), 'codes', 'texts', ['', ...renderChangeCodes()]),
  'docs/diagnostics.md': between(
    between(read('docs/diagnostics.md'), 'lowerable', 'src/diagnostics/finish-diagnostics.ts', renderLowerableCodes()),
    'codes',
    'texts',
    ['', ...renderDiagnosticCodes()],
  ),
  'docs/cli.md': between(read('docs/cli.md'), 'commands', 'src/cli and src/app/commands', await renderCliReference()),
  'docs/configuration.md': between(
    between(read('docs/configuration.md'), 'settings', 'src/docs/config/project-config.ts', renderSettings()),
    'limits',
    'src/text/plain/limits.ts',
    renderLimits(),
  ),
  'docs/migrating.md': between(read('docs/migrating.md'), 'keys', 'src/docs/navigation/key-support.ts', renderKeyTables()),
  'docs/schemas/docs.schema.json': renderDocsConfigSchema(),
  'docs/schemas/config.schema.json': renderConfigSchema(),
  'docs/internal/playground-matrix.md': renderRequestMatrix(),
}
const texts = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'examples', 'packages'], { cwd: root, encoding: 'utf8' })
for (const path of texts.trim().split('\n')) {
  const before = written[path] ?? read(path)
  const text = before.replaceAll(
    /npm install --global (?:--install-links git\+[\w:/.-]+|openapi-pages openapi-pages-app)(?=[`'\n])/g,
    installCommand,
  )
  if (text !== before) written[path] = text
}
const siteFolder = 'examples/petstore-site'
const isCheck = process.argv.includes('--check')
for (const [path, text] of Object.entries(renderExampleSite())) written[`${siteFolder}/${path}`] = text
if (!isCheck) rmSync(join(root, siteFolder), { recursive: true, force: true })
for (const [path, text] of Object.entries(written)) {
  if (!isCheck) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  } else if (!existsSync(join(root, path)) || read(path) !== text) {
    console.error(`${path} is stale: run \`npm run docs\``)
    process.exitCode = 1
  }
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { description: string; default?: string; required?: boolean }>>
  readonly outputs: Readonly<Record<string, { description: string }>>
}

function renderActionReference(before: string): string {
  // A test checks the shape of the file.
  const action = parse(read('action.yml')) as ActionFile
  const inputs = Object.entries(action.inputs).flatMap(([name, input]) => {
    const value = input.default === undefined || input.default === '' ? [] : ['', `Default: \`${input.default}\``]
    return ['', `### ${name}`, '', toLine(input.description), ...value]
  })
  const outputs = Object.entries(action.outputs).map(([name, output]) => `- \`${name}\`: ${toLine(output.description)}`)
  return between(between(before, 'inputs', 'action.yml', [...inputs, '']), 'outputs', 'action.yml', ['', ...outputs, ''])
}

function toLine(description: string): string {
  return description.trim().replaceAll(/\s+/g, ' ')
}

/** Replaces the lines between two marker comments. */
function between(before: string, name: string, source: string, lines: readonly string[]): string {
  const start = `<!-- ${name}: written by \`npm run docs\` from ${source} -->`
  const end = `<!-- /${name} -->`
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`Cannot find ${start} … ${end}`)
  return `${before.slice(0, from + start.length)}\n${lines.join('\n')}\n${before.slice(to)}`
}
