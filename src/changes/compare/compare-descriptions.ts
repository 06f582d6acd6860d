import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { checkDescription } from '../../openapi/checks/check-description.ts'
import { ConfigError } from '../../text/errors.ts'
import { type ChangeCode, type ChangeLevel, type Comparison, isChangeCode, levelSettings } from '../change.ts'
import { compare as compareDescriptions, toComparable } from './compare.ts'
import { locateChanges } from './locate-changes.ts'

/** The files of a description. */
export interface DescriptionFiles {
  /** The path of the entry document in `files`. */
  readonly entry: string
  /** Texts or bytes by path, with `/`. References between files are resolved relative to these paths. */
  readonly files: { readonly [path: string]: string | Uint8Array }
}

export interface CompareSettings {
  /** Levels by change code. `off` leaves out the changes with a code. */
  readonly levels?: { readonly [code in ChangeCode]?: ChangeLevel | 'off' }
  /** The date that `x-sunset` dates are compared with, as `YYYY-MM-DD`. Default: the current date in UTC. */
  readonly today?: string
}

export interface CompareResult extends Comparison {
  /** The errors of both descriptions. With errors, `changes` can be incomplete. */
  readonly errors: { readonly base: readonly Diagnostic[]; readonly revision: readonly Diagnostic[] }
}

/**
 * Compares two versions of an API description and lists the changes that concern clients.
 *
 * Each version is the content of one document (YAML or JSON), or the files of a description. Nothing is read from the disk or the network,
 * and a reference to a file that is not given is an error of the description.
 *
 * @throws {ConfigError} when a version cannot be read as OpenAPI 3.0, 3.1 or 3.2, or a setting is invalid.
 */
export async function compare(
  base: string | Uint8Array | DescriptionFiles,
  revision: string | Uint8Array | DescriptionFiles,
  settings: CompareSettings = {},
): Promise<CompareResult> {
  const options = toOptions(settings)
  const before = await read(base, 'base')
  const after = await read(revision, 'revision')
  const found = compareDescriptions(before.comparable, after.comparable, options)
  const comparison = await locateChanges(found, { base: before.sources, revision: after.sources })
  return { ...comparison, errors: { base: before.errors, revision: after.errors } }
}

async function read(given: string | Uint8Array | DescriptionFiles, name: 'base' | 'revision') {
  const isOneFile = typeof given === 'string' || given instanceof Uint8Array
  const { entry, files } = isOneFile ? { entry: 'openapi.yaml', files: { 'openapi.yaml': given } } : given
  const check = await checkDescription(
    entry,
    async (path) => {
      const content = Object.hasOwn(files, path) ? files[path] : undefined
      if (content === undefined) return { kind: 'failed', code: 'file-missing', reason: 'it is not in `files`' }
      return { kind: 'loaded', bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content }
    },
    { errorsOnly: true },
  )
  const diagnostics = await finishDiagnostics(check.findings, (file) => check.sources.get(file))
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const comparable = toComparable(check)
  if (comparable) return { comparable, sources: check.sources, errors }
  const [first] = errors
  const reason = first ? `: ${first.file}:${first.range.start.line}:${first.range.start.column} ${first.message}` : ''
  throw new ConfigError(`Cannot read \`${name}\` as OpenAPI${reason}`, {
    hint: isOneFile
      ? 'Pass the content of a document, or the files of a description as `{ entry, files }`'
      : 'Correct the document',
  })
}

function toOptions({ levels = {}, today = new Date().toISOString().slice(0, 10) }: CompareSettings) {
  for (const [code, level] of Object.entries(levels)) {
    if (!isChangeCode(code)) throw new ConfigError(`Unexpected code \`${code}\` in \`levels\``)
    if (!levelSettings.includes(level)) {
      throw new ConfigError(
        `Unexpected level \`${level}\` for \`${code}\`, expected \`breaking\`, \`risky\`, \`compatible\` or \`off\``,
      )
    }
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(today))
    throw new ConfigError(`Unexpected date \`${today}\` for \`today\`, expected \`YYYY-MM-DD\``)
  return { levels, today }
}
