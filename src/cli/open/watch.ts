import { join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type OwnedPath, statPath } from '../../files/boundary.ts'
import { watchFolder } from '../../files/disk-files.ts'
import { waitForStop } from '../../files/disk-writes.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { describeError } from '../base/command-errors.ts'
import { choosePalette } from '../print/terminal.ts'

/** The flags and the description of the option `--watch`. */
export const watchOption = ['--watch', 'run again when a file changes, until Ctrl-C', false] as const

/** A command that runs again on changes. */
interface Watched {
  /** The folders to watch, absolute. */
  readonly folders: readonly OwnedPath[]
  /** Runs the command once, and returns the files that it wrote, as absolute paths. Changes to them start no other run. */
  run(): Promise<readonly string[]>
  /** Whether the last run looked for a file of another kind, such as a function of a ruleset. By default, it did not. */
  readonly hasLookedFor?: (path: string) => boolean
}

/**
 * Runs a command, and again after each change of a page, document or configuration file. Prints the time and the changed files before
 * each of these runs. Ends with 0 when `stopped` resolves: by default, when the person presses Ctrl-C.
 *
 * @throws what the first run throws. Later runs only print their error: a file may be incomplete while it is saved.
 */
export async function runAndWatch(
  { folders, run, hasLookedFor = () => false }: Watched,
  { quiet, color }: { readonly quiet: boolean; readonly color?: boolean },
  context: CliContext,
  stopped = waitForStop(),
): Promise<ExitCode> {
  const { stderr } = context
  const palette = choosePalette(stderr, context, color)
  const changed = new Set<string>()
  let written = new Map<string, string | undefined>()
  let running: Promise<void> | undefined
  const runOnce = async () => {
    const paths = await run()
    written = new Map(paths.map((path) => [path, stampOf(path)]))
  }
  const runUntilQuiet = async () => {
    for (let files = takeChanged(); files.length > 0; files = takeChanged()) {
      const [first = '', ...more] = files
      const others = more.length > 0 ? ` and ${formatCount(more.length, 'more file')}` : ''
      stderr.write(palette.dim(`\n${timeOfDay()}  ${escapeText(toOneLine(first))}${others} changed\n`))
      await runOnce().catch((error: unknown) => stderr.write(describeError(error)))
    }
  }
  const takeChanged = () => {
    const files = [...changed].filter((path) => !written.has(path) || written.get(path) !== stampOf(path))
    changed.clear()
    return files.map((path) => shorten(path, folders))
  }
  await runOnce()
  const watches = folders.map((folder) =>
    watchFolder(folder, (paths) => {
      for (const path of paths.map((inside) => join(folder, inside)))
        if (/\.(?:mdx?|json|ya?ml|mintignore)$/i.test(path) || hasLookedFor(path)) changed.add(path)
      running ??= runUntilQuiet().finally(() => {
        running = undefined
      })
    }),
  )
  if (!quiet) stderr.write(palette.dim(`${timeOfDay()}  Watching for changes. Press Ctrl-C to stop.\n`))
  await stopped
  for (const watch of watches) watch.close()
  await running
  return 0
}

function shorten(path: string, folders: readonly string[]): string {
  const folder = folders.find((each) => path.startsWith(each))
  return folder === undefined ? path : path.slice(folder.length + 1).replaceAll('\\', '/')
}

/** Undefined for a missing file. */
function stampOf(path: string): string | undefined {
  const stats = statPath(path)
  return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}

/** `14:03:07`, in local time. */
function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8)
}
