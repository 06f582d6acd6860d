import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { steps } from './demo-steps.mjs'
import { edit, inExample, root, runCli } from './example-run.ts'

// Draws docs/images/demo.svg, the terminal image in the README, from the real output of the command line for the example of the
// demo.
/** Start of a color in a terminal. */
const escapeCode = /\u001b\[([\d;]*)m/
const classes: Readonly<Record<string, string>> = {
  1: 'strong',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'cyan',
  36: 'cyan',
}

inExample((folder) => {
  const show = (command: string) => [
    `\u001b[1m$ openapi-pages ${command}\u001b[0m`,
    ...runCli(folder, ...command.split(' '), '--color').split('\n'),
  ]
  show('update')
  const path = join(folder, 'openapi.yaml')
  for (const step of steps) {
    if (step.title.includes('an operation') && step.edit) writeFileSync(path, step.edit(readFileSync(path, 'utf8')))
  }
  const update = show('update')
  edit(folder, 'openapi.yaml', 'summary: Add a pet', 'sumary: Add a pet')
  const lines = [...update, ...show('check openapi.yaml').slice(0, -1)]
  writeFileSync(join(root, 'docs/images/demo.svg'), toSvg(lines))
})

/** One `<text>` per line, one `<tspan>` per color. */
function toSvg(lines: readonly string[]): string {
  const lineHeight = 20
  const width = 16 + Math.max(...lines.map((line) => plain(line).length)) * 8.43 + 16
  const height = lines.length * lineHeight + 32
  // A line appears every 0.2 seconds, and a command after a pause.
  let seconds = 0
  const body = lines.map((line, index) => {
    seconds += plain(line).startsWith('$ ') ? 1 : 0.2
    return `<text x="16" y="${16 + (index + 1) * lineHeight - 5}" style="animation-delay:${seconds.toFixed(1)}s">${toSpans(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img">
<title>Output of openapi-pages</title>
<style>
rect { fill: #0d1117 }
text { fill: #e6edf3; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.strong { font-weight: 700 } .dim { fill: #8b949e } .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 } .cyan { fill: #79c0ff }
@media (prefers-reduced-motion: no-preference) { text { animation: appear 1ms both } }
@keyframes appear { from { visibility: hidden } }
</style>
<rect width="100%" height="100%" rx="8"/>
${body.join('\n')}
</svg>
`
}

function plain(line: string): string {
  return line.replaceAll(new RegExp(escapeCode, 'g'), '')
}

function toSpans(line: string): string {
  const parts = line.split(escapeCode)
  const active = new Set<string>()
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : span(part, [...active])
      for (const code of part.split(';')) {
        const name = classes[code]
        if (name) active.add(name)
        else if (code === '22') for (const weight of ['strong', 'dim']) active.delete(weight)
        else if (code === '39') for (const color of ['red', 'green', 'yellow', 'cyan']) active.delete(color)
        else active.clear()
      }
      return ''
    })
    .join('')
}

function span(text: string, names: readonly string[]): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0')
  return names.length === 0 ? `<tspan>${escaped}</tspan>` : `<tspan class="${names.join(' ')}">${escaped}</tspan>`
}
