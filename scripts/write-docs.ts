import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

// Writes the tables of inputs and outputs of action.yml into the README, between their markers. `--check` only says whether they are there.
const root = join(import.meta.dirname, '..')
const readme = join(root, 'README.md')
const text = readFileSync(readme, 'utf8')
const written = renderReadme(text)
if (process.argv.includes('--check')) {
  if (written !== text) {
    console.error('README.md is stale: run `npm run docs`')
    process.exitCode = 1
  }
} else writeFileSync(readme, written)

interface ActionFile {
  readonly inputs: Readonly<Record<string, { description: string; default?: string; required?: boolean }>>
  readonly outputs: Readonly<Record<string, { description: string }>>
}

function renderReadme(before: string): string {
  // The file is ours, and a test parses it strictly.
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as ActionFile
  const inputs = Object.entries(action.inputs).map(([name, input]) => {
    const value = input.default === undefined || input.default === '' ? '' : `\`${input.default}\``
    return `| \`${name}\` | ${toCell(input.description)} | ${value} |`
  })
  const outputs = Object.entries(action.outputs).map(([name, output]) => `| \`${name}\` | ${toCell(output.description)} |`)
  const withInputs = between(before, 'inputs', ['| input | meaning | default |', '| --- | --- | --- |', ...inputs])
  return between(withInputs, 'outputs', ['| output | meaning |', '| --- | --- |', ...outputs])
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
