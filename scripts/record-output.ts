import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { edit, inExample, root, runCli } from './example-run.ts'

interface Recording {
  /** Run first. Their output is not shown. */
  readonly before?: readonly string[]
  readonly remove?: string
  readonly change?: readonly [path: string, from: string, to: string]
  readonly command: string
}

/** Commands that the docs show with their output, by the name in the marker. Each one runs in a copy of `examples/petstore`. */
const recordings: Readonly<Record<string, Recording>> = JSON.parse(readFileSync(join(root, 'texts/recordings.json'), 'utf8'))

/** Replaces the blocks between `<!-- output: NAME, … -->` and `<!-- /output -->` with what the built command line prints today. */
export function recordOutput(text: string): string {
  return text.replace(/(<!-- output: ([\w-]+), [^\n]*-->\n)[\s\S]*?(<!-- \/output -->)/g, (_match, start, name, end) => {
    const recording = recordings[name]
    if (recording === undefined) throw new Error(`Unknown output ${name}, expected one of ${Object.keys(recordings).join(', ')}`)
    return `${start}\`\`\`text\n$ openapi-pages ${recording.command}\n${record(recording)}\n\`\`\`\n${end}`
  })
}

function record({ before = [], remove, change, command }: Recording): string {
  return inExample((folder) => {
    const run = (line: string) => runCli(folder, ...line.split(' '), '--no-color').trimEnd()
    for (const earlier of before) run(earlier)
    if (remove !== undefined) rmSync(join(folder, remove))
    if (change !== undefined) edit(folder, ...change)
    // Sizes and times differ between machines.
    return run(command).replaceAll(/: \d+ files written.*/g, ': …')
  })
}
