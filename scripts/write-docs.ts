import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { renderRequestMatrix } from '../test/support/request-matrix.ts'
import { renderDocsConfigSchema } from './docs-config-schema.ts'

// Writes the tables of inputs and outputs of action.yml into the README, between their markers, and the sections of docs/diagnostics.md
// into the source, where SARIF takes the help of its rules from; the JSON Schema of docs.json; and what the
// playground sends, which a test compares with what arrives. `--check` only says whether they are there.
const root = join(import.meta.dirname, '..')
const written = {
  'README.md': renderReadme(read('README.md')),
  'src/diagnostic/help-texts.generated.ts': renderHelpTexts(),
  'docs/schemas/docs.schema.json': renderDocsConfigSchema(),
  'docs/playground-matrix.md': renderRequestMatrix(),
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
  const withInputs = between(before, 'inputs', ['| input | meaning | default |', '| --- | --- | --- |', ...inputs])
  return between(withInputs, 'outputs', ['| output | meaning |', '| --- | --- |', ...outputs])
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

function between(before: string, name: string, lines: readonly string[]): string {
  const start = `<!-- ${name}: written by \`npm run docs\` from action.yml -->`
  const end = `<!-- /${name} -->`
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`README.md has no ${start} … ${end}`)
  return `${before.slice(0, from + start.length)}\n${lines.join('\n')}\n${before.slice(to)}`
}
