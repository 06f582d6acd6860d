import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Questions } from '../../src/cli/base/ask.ts'
import type { Output } from '../../src/cli/base/cli-context.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { toUserPath } from '../../src/files/boundary.ts'
import { checkJsonOutput, type JsonCommand } from '../support/check-json-output.ts'

interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Every file of a folder with its text and time of change, to tell that nothing was touched. */
export function snapshotOf(folder: string): { [path: string]: string } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const rows = files.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const text = `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`
    return [relative(folder, path).replaceAll(sep, '/'), text] as const
  })
  return Object.fromEntries(rows.toSorted())
}

/** Runs a command line in this process, as from a folder. JSON that it prints has to be what its schema says. */
export async function runInFolder(
  folder: string,
  argv: readonly string[],
  {
    env = {},
    columns,
    input = '',
    questions,
  }: { env?: { [name: string]: string }; columns?: number; input?: string; questions?: Questions } = {},
): Promise<Run> {
  const written = { stdout: '', stderr: '' }
  const toOutput = (name: 'stdout' | 'stderr'): Output => ({
    write(text) {
      written[name] += text
    },
    isTerminal: columns !== undefined,
    columns,
  })
  const context = {
    workingDirectory: toUserPath(folder),
    env,
    readStdin: () => Promise.resolve(new TextEncoder().encode(input)),
    stdout: toOutput('stdout'),
    stderr: toOutput('stderr'),
    ...(questions && { openQuestions: () => Promise.resolve(questions) }),
  }
  const exitCode = await runCli(argv, context)
  // Nothing, or the help, which begins with `Usage`.
  const command = argv.find((word) => /^(?:openapi-)?check$|^(?:changes|diff|update|adopt|status|rules)$/.test(word))
  const isJson = argv.some((word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'))
  if (command !== undefined && isJson && /^[^U]/.test(written.stdout)) {
    // What the pattern finds, without the aliases.
    checkJsonOutput(command.replace('openapi-', '').replace('diff', 'changes') as JsonCommand, written.stdout)
  }
  return { exitCode, ...written }
}
