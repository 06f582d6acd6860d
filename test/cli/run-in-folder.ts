import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Output } from '../../src/cli/cli-context.ts'
import { runCli } from '../../src/cli/run-cli.ts'

export interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder with some files that is gone after the test. */
export function makeFolder(files: { readonly [path: string]: string | Uint8Array }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-pages-cli-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Every file of a folder with its text and time of change, to tell that nothing was touched. */
export function snapshotOf(folder: string): { [path: string]: string } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const rows = files.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [relative(folder, path), `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`] as const
  })
  return Object.fromEntries(rows.toSorted())
}

/** Runs a command line in this process, as from a folder. */
export async function runInFolder(
  folder: string,
  argv: readonly string[],
  { env = {}, columns }: { env?: { [name: string]: string }; columns?: number } = {},
): Promise<Run> {
  const written = { stdout: '', stderr: '' }
  const toOutput = (name: 'stdout' | 'stderr'): Output => ({
    write(text) {
      written[name] += text
    },
    isTerminal: columns !== undefined,
    columns,
  })
  const context = { workingDirectory: folder, env, stdout: toOutput('stdout'), stderr: toOutput('stderr') }
  const exitCode = await runCli(argv, context)
  return { exitCode, ...written }
}
