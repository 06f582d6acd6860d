import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { renderRequestMatrix } from '../test/support/request-matrix.ts'
import { renderFolderTable, renderPackageTable } from './architecture.ts'
import { renderDocsConfigSchema } from './docs-config-schema.ts'

// Writes what is generated from another file: tables between markers in Markdown, the help texts of SARIF from docs/diagnostics.md,
// the JSON Schema of docs.json, and the page of what the playground sends. `--check` only reports which are stale.
const root = join(import.meta.dirname, '..')
const written = {
  'README.md': renderReadme(read('README.md')),
  'ARCHITECTURE.md': between(read('ARCHITECTURE.md'), 'folders', 'scripts/architecture.ts', renderFolderTable()),
  'CONTRIBUTING.md': between(read('CONTRIBUTING.md'), 'packages', 'scripts/architecture.ts', renderPackageTable()),
  'src/diagnostic/help-texts.generated.ts': renderHelpTexts(),
  'docs/schemas/docs.schema.json': renderDocsConfigSchema(),
  'docs/internal/playground-matrix.md': renderRequestMatrix(),
}
for (const [path, text] of Object.entries(written)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, path), text)
  else if (read(path) !== text) {
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

function renderReadme(before: string): string {
  // The file is ours, and a test parses it strictly.
  const action = parse(read('action.yml')) as ActionFile
  const inputs = Object.entries(action.inputs).map(([name, input]) => {
    const value = input.default === undefined || input.default === '' ? '' : `\`${input.default}\``
    return `| \`${name}\` | ${toCell(input.description)} | ${value} |`
  })
  const outputs = Object.entries(action.outputs).map(([name, output]) => `| \`${name}\` | ${toCell(output.description)} |`)
  const withInputs = between(before, 'inputs', 'action.yml', ['| input | meaning | default |', '| --- | --- | --- |', ...inputs])
  return between(withInputs, 'outputs', 'action.yml', ['| output | meaning |', '| --- | --- |', ...outputs])
}

function renderHelpTexts(): string {
  const sections = read('docs/diagnostics.md').split(/^## /m).slice(1)
  const lines = sections.map((section) => {
    const code = section.slice(0, section.indexOf('\n'))
    // The last section of a chapter has the heading of the next at its end.
    const literal = toHelp(section.slice(code.length).replace(/\n# [^\n]*\s*$/, ''))
      .replaceAll('\\', '\\\\')
      .replaceAll('`', '\\`')
      .replaceAll('${', '\\${')
    return `  ${/^[a-z]+$/.test(code) ? code : `'${code}'`}: \`${literal}\`,\n`
  })
  return `import type { DiagnosticCode } from './codes.ts'

/** What \`docs/diagnostics.md\` says of each code, in Markdown. Written by \`npm run docs\`, never by hand. */
export const helpTexts: { readonly [code in DiagnosticCode]?: string } = {
${lines.join('')}}
`
}

/** Without what is for our own tests alone, and with links that lead somewhere from everywhere. */
function toHelp(text: string): string {
  const address = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/'
  return text
    .replace(
      /^```(yaml|json) (wrong|right)(?: raw)?$/gm,
      (_match, syntax, verdict) => `${verdict === 'wrong' ? 'Wrong' : 'Right'}:\n\n\`\`\`${syntax}`,
    )
    .replace(/\]\(#([\w-]+)\)/g, `](${address}diagnostics.md#$1)`)
    .replace(/\]\((?!https?:)([\w./#-]+)\)/g, `](${address}$1)`)
    .trim()
}

function toCell(description: string): string {
  return description.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

/** Replaces the lines between the two comments that mark a table. */
function between(before: string, name: string, source: string, lines: readonly string[]): string {
  const start = `<!-- ${name}: written by \`npm run docs\` from ${source} -->`
  const end = `<!-- /${name} -->`
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`Cannot find ${start} … ${end}`)
  return `${before.slice(0, from + start.length)}\n${lines.join('\n')}\n${before.slice(to)}`
}
