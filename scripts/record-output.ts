import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Recording {
  /** Run first. Their output is not shown. */
  readonly before?: readonly string[]
  readonly remove?: string
  readonly edit?: readonly [path: string, from: string, to: string]
  readonly command: string
}

/** Commands that the docs show with their output, by the name in the marker. Each one runs in a copy of `examples/petstore`. */
const recordings: Readonly<Record<string, Recording>> = {
  'check-typo': { edit: ['openapi.yaml', 'summary: List pets', 'sumary: List pets'], command: 'check openapi.yaml' },
  update: { command: 'update' },
  'update-rename': {
    before: ['update'],
    edit: ['openapi.yaml', '/pets/{petId}/reservation:', '/pets/{petId}/booking:'],
    command: 'update',
  },
  adopt: { before: ['update'], remove: 'openapi-pages.lock.json', command: 'adopt' },
}

/** Replaces the blocks between `<!-- output: NAME, … -->` and `<!-- /output -->` with what the built command line prints today. */
export function recordOutput(text: string): string {
  return text.replace(/(<!-- output: ([\w-]+), [^\n]*-->\n)[\s\S]*?(<!-- \/output -->)/g, (_match, start, name, end) => {
    const recording = recordings[name]
    if (recording === undefined) throw new Error(`Unknown output ${name}, expected one of ${Object.keys(recordings).join(', ')}`)
    return `${start}\`\`\`text\n$ openapi-pages ${recording.command}\n${record(recording)}\n\`\`\`\n${end}`
  })
}

function record({ before = [], remove, edit, command }: Recording): string {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-output-'))
  try {
    cpSync(join(import.meta.dirname, '../examples/petstore'), folder, { recursive: true })
    // The boundary of what may be read.
    mkdirSync(join(folder, '.git'))
    for (const earlier of before) run(folder, earlier)
    if (remove !== undefined) rmSync(join(folder, remove))
    if (edit !== undefined) {
      const [path, from, to] = edit
      const text = readFileSync(join(folder, path), 'utf8')
      if (!text.includes(from)) throw new Error(`Cannot find ${from} in ${path} of the example`)
      writeFileSync(join(folder, path), text.replace(from, to))
    }
    return run(folder, command)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(folder: string, command: string): string {
  const bin = join(import.meta.dirname, '../bin/openapi-pages.cjs')
  const result = spawnSync(process.execPath, [bin, ...command.split(' '), '--no-color'], { cwd: folder, encoding: 'utf8' })
  if (result.stdout === '') throw new Error(`\`${command}\` printed nothing: ${result.stderr}`)
  return (result.stdout + result.stderr).trimEnd()
}
