import { spawnSync } from 'node:child_process'
import type { Palette } from '../../diagnostics/format-text.ts'
import { findInside, joinOwned, type OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { disk, makeTemporaryFolder, rejectLinks, replaceFile } from '../../files/disk-writes.ts'
import { openTrustedGit, toGitError } from '../../git/git.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import type { CiTask } from './ci-files.ts'

/** A command of the jobs, as it ran in a clone. */
export interface ProofStep {
  readonly command: string
  readonly passes: boolean
  /** The last lines that it printed, and the first error. */
  readonly lines: readonly string[]
}

/** Runs a command of openapi-pages. */
export type RunCommand = (argv: readonly string[], context: CliContext) => Promise<ExitCode>

interface Proof {
  /** What becomes part of the repository: the plan, and files that are not committed yet, relative to the boundary. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  readonly uncommitted: readonly string[]
  /** The commands of openapi-pages. */
  readonly commands: readonly (readonly string[])[]
  /** What makes the documents that Git ignores. */
  readonly build: string | undefined
}

/** The commands of the jobs that can run anywhere. Where the Action does the work of one, it is the one that does the same. */
export function listJobCommands(task: CiTask, folder: string, directories: readonly string[]): readonly string[][] {
  const check = ['check', folder || '.']
  if (task === 'site') return [check, ['build', folder || '.', '--output', '../site']]
  return [check, ...(task === 'pages' ? directories.map((directory) => ['update', directory || '.']) : [])]
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
  run: RunCommand,
): Promise<readonly ProofStep[]> {
  const folder = makeTemporaryFolder('openapi-pages-init-')
  try {
    const clone = joinOwned(folder, 'clone')
    // Jobs have pointers in place of the files of Git LFS.
    const environment = { GIT_LFS_SKIP_SMUDGE: '1' }
    const output = await openTrustedGit(boundary).run(['clone', '--quiet', '--no-tags', boundary, clone], { environment })
    if (output.code !== 0) throw toGitError('clone the repository', output)
    const add = (path: string, content: string | Uint8Array) => {
      // The commit can have a link in place of a folder.
      rejectLinks(path, clone, 'any')
      const target = findInside(clone, path)
      if (target !== undefined) replaceFile(target, content, { parents: true })
    }
    for (const path of uncommitted) {
      const result = await openDiskFiles(boundary).read(path)
      if (result.kind === 'file') add(path, result.bytes)
    }
    for (const { path, content } of files) add(path, content)
    const steps: ProofStep[] = build === undefined ? [] : [runShell(build, clone)]
    for (const argv of commands) {
      if (steps.some(({ passes }) => !passes)) break
      const printed: string[] = []
      const output = { write: (text: string) => void printed.push(text), isTerminal: false, columns: undefined }
      const { env, readStdin } = context
      const exitCode = await run(argv, { workingDirectory: clone, env, readStdin, stdout: output, stderr: output })
      steps.push(
        toStep(
          `openapi-pages ${argv.map((word) => (word.startsWith('--') ? word : quoteForShell(word))).join(' ')}`,
          exitCode,
          printed.join(''),
        ),
      )
    }
    return steps
  } finally {
    disk.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The most output of a build, in bytes. With the default of 1 MB, builds with long logs would be ended. */
const maxBuffer = 256 * 1024 * 1024

/** Runs the command that the person has named. */
function runShell(command: string, cwd: string): ProofStep {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    shell: true,
    encoding: 'utf8',
    maxBuffer,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return toStep(command, status, `${stdout}\n${stderr}`)
}

function toStep(command: string, exitCode: number | null, text: string): ProofStep {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const passes = exitCode === 0
  // Warnings can come after the errors.
  const first = lines.findIndex((line) => / error [a-z-]+$/.test(line))
  if (passes || first === -1) return { command, passes, lines: lines.slice(passes ? -1 : -4) }
  const end = lines.findIndex((line, index) => index > first && /^\S/.test(line))
  const error = lines.slice(first, end).filter((line, index) => index < 2 || /^ +hint: /.test(line))
  return { command, passes, lines: [...error, ...lines.filter((line) => /^[✖!] /.test(line))] }
}

export function describeProof(steps: readonly ProofStep[], palette: Palette): string {
  const blocks = steps.map(({ command, passes, lines }) => {
    const color = passes ? palette.success : palette.error
    return `  ${color(passes ? '✔' : '✖')} ${escapeText(command)}\n${lines.map((line) => palette.dim(`      ${escapeText(line.trim())}\n`)).join('')}`
  })
  return steps.length === 0 ? '' : `${palette.strong('Proof')}   run in a clone with the planned files\n${blocks.join('')}\n`
}
