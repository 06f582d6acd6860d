import { relative, resolve, sep } from 'node:path'
import {
  type Diagnostic,
  type DiagnosticCode,
  isDiagnosticCode,
  renameFiles,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { explainRefusal, isAllowedSeverity } from '../../diagnostics/finish-diagnostics.ts'
import { findBoundary, resolveThroughLinks, toPathInside } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { overlayFiles } from '../../files/files.ts'
import { ConfigError } from '../../text/errors.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { DocumentReport } from '../types.ts'
import { runCheck } from './run-check.ts'

export interface CheckSettings {
  /** The directory that `entry` and the paths in the result are relative to. Default: the working directory of the process. */
  readonly workingDirectory?: string
  /**
   * Nothing outside this directory is read. Default: the Git work tree that contains the entry. Without Git, the working directory,
   * or the directory of an entry outside it.
   */
  readonly boundary?: string
  /**
   * Whether URLs in `docs.json` may be plain http, and point to loopback and private addresses. A URL in `entry` always may. Default: false.
   */
  readonly allowHttp?: boolean
  /** The content of the entry document, used instead of the file on disk. For editors and generated documents. */
  readonly content?: string | Uint8Array
  /**
   * Severities by diagnostic code. They override the configuration file. Errors that make a document invalid cannot be
   * lowered, except some that can be `warning`.
   */
  readonly rules?: { readonly [code in DiagnosticCode]?: Severity | 'off' }
}

export interface CheckResult {
  /** Whether there are no errors. */
  readonly valid: boolean
  /** The checked documents: the entry, or all documents that a docs directory names. */
  readonly documents: readonly DocumentReport[]
  /** Sorted by file, line and column. Empty for a document without problems. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Checks an OpenAPI document and everything it references, or a docs directory and every document that its `docs.json` names.
 *
 * Problems in the documents, including a missing `entry`, are reported in the result. Fetches `entry` if it is a URL, and the URLs that
 * `docs.json` names, with the proxy in `HTTPS_PROXY` and `NO_PROXY`.
 *
 * @param entry A path or URL.
 * @throws {ConfigError} when `entry` is outside the boundary, `entry` is a URL and `content` is given, or a rule is invalid.
 */
export async function check(entry: string, settings: CheckSettings = {}): Promise<CheckResult> {
  const workingDirectory = resolveThroughLinks(resolve(settings.workingDirectory ?? '.'))
  const boundary = settings.boundary
    ? resolveThroughLinks(resolve(workingDirectory, settings.boundary))
    : findBoundary(isUrl(entry) ? '.' : entry, workingDirectory)
  const inside = isUrl(entry) ? entry : toPathInside(boundary, resolve(workingDirectory, entry))
  if (inside === undefined) {
    throw new ConfigError(`Cannot read \`${entry}\`: it is outside \`${boundary}\``, {
      hint: 'Set `boundary` to a directory that contains it',
    })
  }
  const { content } = settings
  if (isUrl(entry) && content !== undefined) {
    throw new ConfigError(`Unexpected \`content\` for the URL \`${entry}\``, { hint: 'Pass a file name as `entry`' })
  }
  const disk = openDiskFiles(boundary)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const report = await runCheck(
    { entries: [inside] },
    {
      files: bytes === undefined ? disk : overlayFiles(disk, new Map([[inside, bytes]])),
      fetchDocument: createFetchDocument({
        namedByUser: new Set([entry]),
        repositoryUrls: settings.allowHttp ? 'any' : 'public',
        howToAllow: 'set `allowHttp`',
        proxyVariables: process.env,
      }),
    },
    { rules: toRules(settings.rules ?? {}) },
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
    if (!isAllowedSeverity(code, level)) {
      const { message, hint } = explainRefusal(code, level)
      throw new ConfigError(message, { hint })
    }
    severities.set(code, level)
  }
  return severities
}
