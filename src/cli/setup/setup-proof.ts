import { spawnSync } from 'node:child_process'
import { formatCount, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { type Palette, plainPalette, toPlaceText } from '../../diagnostics/format-text.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { findInside, folderOf, joinOwned, type OwnedPath, type OwnPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { disk, makeTemporaryFolder, replaceFile, resolveOutput } from '../../files/disk-writes.ts'
import { openTrustedGit, toGitError } from '../../git/git.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import type { CliContext } from '../base/cli-context.ts'
import { describeError, toExitCode } from '../base/command-errors.ts'
import { quoteForShell } from '../base/command-line.ts'
import { buildNamed } from '../commands/build-command.ts'
import { checkNamed } from '../commands/check-command.ts'
import { defaults } from '../commands/module.ts'
import { updateNamed } from '../commands/update-command.ts'
import { formatCheckSummary } from '../print/check-summary.ts'
import { countPages } from '../print/format-update.ts'
import type { CiTask } from './ci-files.ts'

/** A command of the jobs, as it ran in a clone. */
export interface ProofStep {
  readonly command: string
  readonly passes: boolean
  /** The last lines that it printed, and the first error. */
  readonly lines: readonly string[]
}

/** What a job does with a directory. */
export interface JobCommand {
  readonly name: 'check' | 'build' | 'update'
  /** Relative to the boundary. The repository can give it any name. */
  readonly directory: string
}

interface Proof {
  /** What becomes part of the repository: the plan, and files that are not committed yet, relative to the boundary. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  readonly uncommitted: readonly string[]
  readonly commands: readonly JobCommand[]
  /** What makes the documents that Git ignores. */
  readonly build: string | undefined
}

/** The commands of the jobs that can run anywhere. Where the Action does the work of one, it is the one that does the same. */
export function listJobCommands(task: CiTask, directory: string, directories: readonly string[]): readonly JobCommand[] {
  const updated = task === 'pages' ? directories : []
  return [
    { name: 'check', directory },
    ...(task === 'site' ? [{ name: 'build' as const, directory }] : []),
    ...updated.map((each) => ({ name: 'update' as const, directory: each })),
  ]
}

/**
 * Runs the commands of the jobs in a clone of the newest commit with the planned files, because jobs have nothing else. Ends after the first
 * command that fails.
 *
 * @throws {GitError} if Git cannot clone the repository.
 * @throws {ConfigError} if a link of the repository is in place of a planned file or its folder.
 */
export async function provePlan(
  { files, uncommitted, commands, build }: Proof,
  boundary: OwnedPath,
  context: CliContext,
  onStep: (step: string) => void,
): Promise<readonly ProofStep[]> {
  const folder = makeTemporaryFolder('openapi-pages-init-')
  try {
    const clone = joinOwned(folder, 'clone')
    // Jobs have pointers in place of the files of Git LFS.
    const environment = { GIT_LFS_SKIP_SMUDGE: '1' }
    const output = await openTrustedGit(folder).run(['clone', '--quiet', '--no-tags', boundary, clone], { environment })
    if (output.code !== 0) throw toGitError('clone the repository', output)
    const add = (path: string, content: string | Uint8Array) => {
      // The commit can have a link in place of a folder.
      resolveOutput(path, clone, 'any')
      const target = findInside(clone, path)
      if (target !== undefined) replaceFile(target, content, { parents: true })
    }
    for (const path of uncommitted) {
      const result = await openDiskFiles(boundary).read(path)
      if (result.kind === 'file') add(path, result.bytes)
    }
    for (const { path, content } of files) add(path, content)
    const steps: ProofStep[] = build === undefined ? [] : [runShell(build, clone)]
    for (const command of commands) {
      if (!steps.every(({ passes }) => passes)) break
      onStep(`running ${command.name} in a clone`)
      steps.push(await proveCommand(command, clone, context))
    }
    return steps
  } finally {
    disk.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Next to the clone, as the jobs name it. */
const siteFolder = '../site'

async function proveCommand({ name, directory }: JobCommand, clone: OwnPath, context: CliContext): Promise<ProofStep> {
  const command = `openapi-pages ${name} ${quoteForShell(directory || '.')}${name === 'build' ? ` --output ${siteFolder}` : ''}`
  const output = { write: () => {}, isTerminal: false, columns: undefined }
  const inClone = { ...context, workingDirectory: clone, stdout: output, stderr: output, openQuestions: undefined }
  try {
    const { diagnostics, documents, done, isDone } = await runCommand(
      name,
      `./${directory}`,
      inClone,
      joinOwned(folderOf(clone), 'site'),
    )
    const passes = isDone && toExitCode(diagnostics) === 0
    const error = passes ? undefined : diagnostics.find(({ severity }) => severity === 'error')
    const place = error && `${toPlaceText(error.file, error.range.start)} error ${ruleNameOf(error)}`
    const hint = error?.hint && `hint: ${toOneLine(error.hint)}`
    const stopped = describeStopped(documents, undefined, error !== undefined)
    const lines = [place, error?.message, hint, stopped ? `! ${stopped.text}` : done]
    return { command, passes, lines: lines.filter((line) => line !== undefined) }
  } catch (error) {
    return { command, passes: false, lines: toLines(describeError(error)).slice(0, 4) }
  }
}

/**
 * Runs a command with the rights that it has without options. The name of the directory is a value, and no part of a command line.
 *
 * @returns its result, with a line about it.
 */
async function runCommand(name: JobCommand['name'], directory: string, context: CliContext, output: OwnPath) {
  if (name === 'check') {
    const found = await checkNamed([directory], defaults.check, context)
    return { ...found, done: toLines(formatCheckSummary(found, plainPalette)).at(-1), isDone: true }
  }
  if (name === 'update') {
    const { update, shown } = await updateNamed(directory, defaults.update, context)
    return { ...shown, documents: update.documents, done: `✔ ${countPages(update.pages) || 'No pages'}`, isDone: true }
  }
  // Without the cache, which is a file of the user.
  const found = await buildNamed(directory, { ...defaults.build, output, cache: false }, context)
  if (!found) throw new ConfigError(`cannot build ${directory}: it has no docs.json`)
  const { built, shown, json } = found
  const done = `✔ ${formatCount(json.pages, 'page')} (${formatCount(json.operations, 'operation')}) in ${siteFolder}`
  return { ...shown, documents: built.documents, done: json.built ? done : undefined, isDone: json.built }
}

/** The most output of a build, in bytes. With the default of 1 MB, builds with long logs would be ended. */
const maxBuffer = 256 * 1024 * 1024

/** Runs the command of `--build`: the only one that a shell reads, because the person has written it for one. */
function runShell(command: string, cwd: string): ProofStep {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    shell: true,
    encoding: 'utf8',
    maxBuffer,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const passes = status === 0
  return { command, passes, lines: toLines(`${stdout}\n${stderr}`).slice(passes ? -1 : -4) }
}

const toLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

export function describeProof(steps: readonly ProofStep[], palette: Palette): string {
  const blocks = steps.map(({ command, passes, lines }) => {
    const color = passes ? palette.success : palette.error
    return `  ${color(passes ? '✔' : '✖')} ${escapeText(command)}\n${lines.map((line) => palette.dim(`      ${escapeText(line.trim())}\n`)).join('')}`
  })
  return steps.length === 0 ? '' : `${palette.strong('Proof')}   run in a clone with the planned files\n${blocks.join('')}\n`
}
