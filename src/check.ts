import { relative, resolve, sep } from 'node:path'
import { type DiagnosticCode, isDiagnosticCode, isFixedCode, type Severity } from './diagnostics/codes.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { renameFiles } from './diagnostics/diagnostic.ts'
import { ConfigError } from './errors.ts'
import { findBoundary, isInside, resolveThroughLinks } from './files/boundary.ts'
import { openDiskFiles } from './files/disk-files.ts'
import { createFetchDocument } from './files/fetch-document.ts'
import { overlayFiles } from './files/files.ts'
import { isUrl } from './source/relative-path.ts'
import { runCheck } from './update/run-check.ts'
import type { DocumentReport } from './update/types.ts'

export interface CheckSettings {
  /** The folder that `entry` and the paths in the answer are relative to. Default: the working directory of the process. */
  readonly workingDirectory?: string
  /** Nothing outside this folder is read. Default: the git work tree that holds the entry, else the working directory. */
  readonly boundary?: string
  /** Whether addresses with `http:` are read from other hosts than this one. Default: false. */
  readonly allowHttp?: boolean
  /** The text of the entry document, or its bytes, instead of what the disk has there: for editors, and for documents that are made. */
  readonly content?: string | Uint8Array
  /**
   * Levels of findings by their code. They win over those of the configuration file. Errors that make a document invalid stay errors.
   */
  readonly rules?: { readonly [code in DiagnosticCode]?: Severity | 'off' }
}

export interface CheckResult {
  /** No finding of level error. */
  readonly valid: boolean
  /** The documents that were checked: the entry, or all that a docs root names. */
  readonly documents: readonly DocumentReport[]
  /** Sorted by file, line and column; empty for a document that nothing can be said about. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Checks an OpenAPI document with all that it references, or a folder with a `docs.json` and every document it names.
 *
 * What is wrong with the documents is in the answer, also that there is none at `entry`. The network is asked for `entry` alone, where that
 * is an address; a proxy is taken from `HTTPS_PROXY` and `NO_PROXY`.
 *
 * @param entry a path, or an address.
 * @throws {ConfigError} when `entry` is outside the boundary, or is an address and comes with `content`; and for a rule that cannot be set.
 */
export async function check(entry: string, settings: CheckSettings = {}): Promise<CheckResult> {
  const workingDirectory = resolveThroughLinks(resolve(settings.workingDirectory ?? '.'))
  const boundary = settings.boundary
    ? resolveThroughLinks(resolve(workingDirectory, settings.boundary))
    : findBoundary(isUrl(entry) ? '.' : entry, workingDirectory)
  const path = resolve(workingDirectory, entry)
  if (!isUrl(entry) && !isInside(boundary, path)) {
    throw new ConfigError(`Cannot read \`${entry}\`: it is outside \`${boundary}\``, {
      hint: 'name a folder that holds it as `boundary`',
    })
  }
  const { content } = settings
  if (isUrl(entry) && content !== undefined) {
    throw new ConfigError(`Unexpected \`content\` for the address \`${entry}\``, { hint: 'give it the name of a file' })
  }
  const inside = isUrl(entry) ? entry : relative(boundary, path).split(sep).join('/')
  const disk = openDiskFiles(boundary)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const report = await runCheck(
    { entries: [inside] },
    {
      rules: toRules(settings.rules ?? {}),
      files: bytes === undefined ? disk : overlayFiles(disk, inside, bytes),
      fetchDocument: createFetchDocument({ allowHttp: settings.allowHttp ?? false, proxyVariables: process.env }),
    },
  )
  const toShown = (file: string) =>
    isUrl(file) ? file : relative(workingDirectory, resolve(boundary, file)).split(sep).join('/')
  return {
    valid: report.diagnostics.every(({ severity }) => severity !== 'error'),
    documents: report.documents.map((document) => ({ ...document, path: toShown(document.path) })),
    diagnostics: renameFiles(report.diagnostics, toShown),
  }
}

function toRules(rules: NonNullable<CheckSettings['rules']>): ReadonlyMap<DiagnosticCode, Severity | 'off'> {
  const severities = new Map<DiagnosticCode, Severity | 'off'>()
  for (const [code, level] of Object.entries(rules)) {
    if (!isDiagnosticCode(code)) throw new ConfigError(`Unexpected code \`${code}\` in \`rules\``)
    if (!['off', 'info', 'warning', 'error'].includes(level)) {
      throw new ConfigError(`Unexpected level \`${level}\` for \`${code}\`, expected \`off\`, \`info\`, \`warning\` or \`error\``)
    }
    if (isFixedCode(code) && level !== 'error') {
      throw new ConfigError(`Cannot make \`${code}\` \`${level}\`: it makes a document invalid and is always an error`)
    }
    severities.set(code, level)
  }
  return severities
}
