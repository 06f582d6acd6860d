import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { type GitHubEvent, type RunAsGitHubOptions, type RunAsGitHubResult, runAsGitHub } from '../../scripts/run-as-github.mjs'
import { compileCache } from './compile-cache.ts'
import { type FileContents, type GitRemote, makeGitRemote } from './git-remote.ts'
import { readCommands, type WorkflowCommand } from './read-commands.ts'

export const projectFolder = join(import.meta.dirname, '../..')

/** The committed bundle of the Action. */
const actionBundle = join(projectFolder, 'dist/action/index.js')

export interface ActionRun extends RunAsGitHubResult {
  /** The commands that a runner would execute and that people see, except the groups of the log. */
  readonly commands: readonly WorkflowCommand[]
  /** The content of the log. */
  readonly text: string
}

/** `action.yml`, as far as runners read it. */
interface ActionFile {
  readonly inputs: { readonly [name: string]: { readonly description: string; readonly default: string } }
  readonly outputs: { readonly [name: string]: { readonly description: string } }
  readonly runs: { readonly using: string; readonly main: string }
}

export function readActionFile(): ActionFile {
  // A separate test checks the shape of the file.
  return parse(readFileSync(join(projectFolder, 'action.yml'), 'utf8')) as ActionFile
}

/** The defaults of `action.yml` by input. A workflow in a test has no token: the expression for it is empty. */
export function readDefaults(): { readonly [name: string]: string } {
  const defaults = Object.entries(readActionFile().inputs).map(([name, input]) => [
    name,
    input.default.replace(/^\$\{\{.*\}\}$/, ''),
  ])
  return Object.fromEntries(defaults)
}

/** Commands that show nothing to people. */
const quiet = ['group', 'endgroup', 'debug', 'add-mask']

/** Environment variables that shorten the waits of a run, such as the one between two writes. */
export const shortWaits = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'short-waits.mjs'))}` }

/** Runs the committed bundle in a checkout, with the defaults of `action.yml` for missing inputs. */
export async function runAction(
  checkout: string,
  options: Partial<Omit<RunAsGitHubOptions, 'workspace'>> & { readonly temporaryFolder: string },
): Promise<ActionRun> {
  const result = await runAsGitHub({
    bundle: actionBundle,
    event: pushTo('main'),
    ...options,
    workspace: checkout,
    inputs: { ...readDefaults(), ...options.inputs },
    environment: { ...shortWaits, ...compileCache, ...options.environment },
  })
  const { commands, text } = readCommands(result.stdout)
  return { ...result, text, commands: commands.filter(({ name }) => !quiet.includes(name)) }
}

/** A push to a branch. */
function pushTo(branch: string): GitHubEvent {
  return {
    name: 'push',
    ref: `refs/heads/${branch}`,
    payload: { ref: `refs/heads/${branch}`, repository: { full_name: 'acme/docs' } },
  }
}

/** A pull request from a branch of this repository or a fork. */
export function pullRequestFrom(branch: string, headRepository = 'acme/docs'): GitHubEvent {
  const head = { ref: branch, repo: { full_name: headRepository } }
  const payload = { number: 1, pull_request: { number: 1, head }, repository: { full_name: 'acme/docs' } }
  return { name: 'pull_request', ref: 'refs/pull/1/merge', headRef: branch, payload }
}

/** Creates a remote with an example. */
export function makeExampleRemote(example: string, more: FileContents = {}): GitRemote {
  return makeGitRemote({ ...readExample(example), ...more })
}

/** The files of an example by path. */
export function readExample(example: string): FileContents {
  const folder = join(projectFolder, 'examples', example)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = paths
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')])
  return Object.fromEntries(files)
}
