import { resolve } from 'node:path'
import { type CompareSettings, compareContents, type DescriptionContent } from '../../changes/compare/compare.ts'
import { type ChangesJson, toChangesJson } from '../../changes/show/changes-formats.ts'
import { type DiagnosticCode, isDiagnosticCode, type Severity } from '../../diagnostics/diagnostic.ts'
import { explainRefusal, isAllowedSeverity } from '../../diagnostics/finish-diagnostics.ts'
import { type CheckJson, type DiagnosticJson, toCheckJson } from '../../diagnostics/format-text.ts'
import type { UpdateJson } from '../../docs/update/update-results.ts'
import { toUserPath } from '../../files/boundary.ts'
import { ConfigError } from '../../text/errors.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext } from '../base/cli-context.ts'

// The functions of the module `openapi-pages`. Each does what the command with its name does, with the same defaults, and returns what
// the command prints with `--format json`.

interface ReadSettings {
  /** The directory that arguments and the paths in the result are relative to. Default: the working directory of the process. */
  readonly workingDirectory?: string
  /** Nothing outside this directory is read. Default: the Git work tree of the argument. */
  readonly boundary?: string
  /** Whether URLs in `docs.json` may be plain http, and point to private addresses. A URL that is an argument always may. Default: false. */
  readonly allowHttp?: boolean
}

export interface CheckSettings extends ReadSettings {
  /** The content of the document, used instead of the file on disk. For editors and generated documents. */
  readonly content?: string | Uint8Array
  /**
   * Severities by diagnostic code. They override the configuration file. Errors that make a document invalid cannot be
   * lowered, except some that can be `warning`.
   */
  readonly rules?: { readonly [code in DiagnosticCode]?: Severity | 'off' }
  /** An audience of the configuration file, whose site is checked. Default: `public`. */
  readonly audience?: string
}

export interface UpdateSettings extends ReadSettings {
  /** Write nothing. Default: false. */
  readonly dryRun?: boolean
  /** Update the pages of operations without errors, in documents with errors. Default: the configuration file. */
  readonly keepGoing?: boolean
  /** Allow the removal of many pages at once. Default: the configuration file. */
  readonly remove?: boolean
}

export interface BuildSettings extends ReadSettings {
  /** The output directory. Default: `site`. */
  readonly output?: string
  /** The path of the site on its host. Default: the path of `url`, else the configuration file. */
  readonly base?: string
  /** The full URL of the site. */
  readonly url?: string
  /** An audience of the configuration file. Default: its `public`. */
  readonly audience?: string
  /** Allow an output directory with other files, and overwrite edited files. Default: false. */
  readonly force?: boolean
}

/** The output of `build --format json`. The shape is stable: fields are only ever added. */
export interface BuildJson extends Readonly<Record<'pages' | 'operations' | 'bytes', number>> {
  readonly version: 1
  readonly output: string
  /** Whether the site was written. */
  readonly built: boolean
  /** `kept`: files that are no longer part of the site, but were edited. */
  readonly files: Readonly<Record<'written' | 'unchanged' | 'removed', number>> & { readonly kept: readonly string[] }
  readonly diagnostics: readonly DiagnosticJson[]
}

const shared = { format: 'json', quiet: true, all: true, allowHttp: false, watch: false, overlay: [] } as const

const ofCheck = {
  links: true,
  external: false,
  inlineIgnore: true,
  traffic: [],
  fix: false,
  dryRun: false,
  allowDirty: false,
} as const

/** The options of each command if nothing is set. They print nothing. */
export const defaults = {
  check: { ...shared, ...ofCheck, failOn: 'never' },
  update: { ...shared, dryRun: false, check: false, renames: true, sources: false },
  build: { ...shared, cache: true, force: false, includeTag: [], excludeTag: [] },
} as const

/**
 * Checks documents and docs directories: paths, globs and URLs. Problems of documents, and missing files, are part of the result.
 *
 * @throws {ConfigError} if an argument is outside the boundary, or a setting is invalid.
 */
export async function check(entries: string | readonly string[] = '.', settings: CheckSettings = {}): Promise<CheckJson> {
  const { content, rules = {}, ...others } = settings
  const named = [entries].flat()
  const [stdinPath = ''] = named
  if (content !== undefined && (named.length > 1 || isUrl(stdinPath))) {
    throw new ConfigError(`Unexpected \`content\` for \`${named.join(' ')}\``, { hint: 'Pass one file name' })
  }
  const { checkNamed } = await import('./check-command.ts')
  const options = { ...defaults.check, ...others, rules: toRules(rules), ...(content !== undefined && { stdinPath }) }
  const context = toContext(settings, content)
  const { diagnostics, rulesets } = await checkNamed(content === undefined ? named : ['-'], options, context)
  return toCheckJson(diagnostics, rulesets)
}

/**
 * Updates the pages and the navigation of a docs directory.
 *
 * @throws {ConfigError} if there is no docs directory, or a setting is invalid.
 */
export async function update(directory = '.', settings: UpdateSettings = {}): Promise<UpdateJson> {
  const { toShownJson, updateNamed } = await import('./update-command.ts')
  const { update, shown, workspace } = await updateNamed(directory, { ...defaults.update, ...settings }, toContext(settings))
  return toShownJson(update, shown, workspace)
}

/**
 * Builds the site of a docs directory or an OpenAPI document.
 *
 * @throws {ConfigError} if there is nothing to build, there are several documents to choose from, or a setting is invalid.
 */
export async function build(source = '.', settings: BuildSettings = {}): Promise<BuildJson> {
  const { buildNamed } = await import('./build-command.ts')
  const messages: string[] = []
  const options = { ...defaults.build, ...settings, output: toUserPath(settings.output ?? 'site') }
  const built = await buildNamed(source, options, toContext(settings, undefined, messages))
  if (!built) throw new ConfigError(messages.join('').trim())
  return built.json
}

/** Compares two versions of a description by their contents, as `changes` does. See {@link compareContents}. */
export async function compare(
  base: DescriptionContent,
  revision: DescriptionContent,
  settings: CompareSettings = {},
): Promise<ChangesJson> {
  const compared = await compareContents(base, revision, settings)
  return toChangesJson(compared, compared)
}

/** A context that prints nothing. @param messages gets what a command would print for people. */
function toContext(
  { workingDirectory = '.' }: ReadSettings,
  content: string | Uint8Array = '',
  messages: string[] = [],
): CliContext {
  const output = { write: (text: string) => void messages.push(text), isTerminal: false, columns: undefined }
  const readStdin = async () => (typeof content === 'string' ? new TextEncoder().encode(content) : content)
  return { workingDirectory: toUserPath(resolve(workingDirectory)), env: process.env, readStdin, stdout: output, stderr: output }
}

function toRules(rules: NonNullable<CheckSettings['rules']>): ReadonlyMap<DiagnosticCode, Severity | 'off'> {
  const severities = new Map<DiagnosticCode, Severity | 'off'>()
  for (const [code, level] of Object.entries(rules)) {
    if (!isDiagnosticCode(code)) throw new ConfigError(`Unexpected code \`${code}\` in \`rules\``)
    if (!['off', 'info', 'warning', 'error'].includes(level)) {
      throw new ConfigError(`Unexpected level \`${level}\` for \`${code}\`, expected \`off\`, \`info\`, \`warning\` or \`error\``)
    }
    if (!isAllowedSeverity(code, level)) {
      const { message, hint } = explainRefusal(code, level)
      throw new ConfigError(message, { hint })
    }
    severities.set(code, level)
  }
  return severities
}
