import { createHash } from 'node:crypto'
import { escapeText, toSafeJson, toWellFormed } from '../source/escape-text.ts'
import { isUrl } from '../source/relative-path.ts'
import { type DiagnosticCode, diagnosticCodes, diagnosticUrl, type Severity } from './codes.ts'
import type { Diagnostic, RelatedPlace } from './diagnostic.ts'
import { bySeverity, countFindings, formatCount } from './diagnostic.ts'
import { helpTexts } from './help-texts.generated.ts'

export interface SarifOptions {
  /** Version of this package. Omitted by default. */
  readonly version?: string
  /** False if the check could not read everything it was asked to. Default: true. */
  readonly isComplete?: boolean
}

/** Maximum number of results that GitHub shows per run. Source: "SARIF support for code scanning", limits. */
const maxResults = 5_000
/** GitHub rejects runs with more results. */
const maxUploaded = 25_000
/** Maximum number of related locations per result. */
const maxRelated = 100

/**
 * Formats diagnostics as SARIF 2.1.0, for code scanning and editors. Ends with a newline.
 *
 * Files are relative to the root of the repository. Above 5,000 diagnostics, the most severe are kept, including all errors up to the
 * GitHub limit of 25,000. A notification states the total. Fingerprints do not change when lines above a result are added or removed.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function formatSarif(diagnostics: readonly Diagnostic[], { version, isComplete = true }: SarifOptions = {}): string {
  const kept = keepMostSevere(diagnostics)
  const rules = [...new Set(kept.map(({ code }) => code))].sort()
  const files = [...new Set(kept.map(({ file }) => file))].sort()
  const fingerprintOf = toFingerprints()
  const left = diagnostics.length - kept.length
  return `${toSafeJson({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'openapi-pages',
            ...(version === undefined ? {} : { semanticVersion: version }),
            informationUri: 'https://github.com/openapi-pages/openapi-pages',
            rules: rules.map(toRule),
          },
        },
        invocations: [
          {
            executionSuccessful: isComplete,
            toolExecutionNotifications:
              left === 0 ? [] : [{ level: 'warning', message: { text: describeCut(kept.length, diagnostics.length) } }],
          },
        ],
        columnKind: 'utf16CodeUnits',
        newlineSequences: ['\r\n', '\n', '\r'],
        originalUriBaseIds: { [sourceRoot]: { description: { text: 'The root of the repository' } } },
        artifacts: files.map((file) => ({ location: toArtifactLocation(file) })),
        results: kept.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: rules.indexOf(diagnostic.code),
          level: levels[diagnostic.severity],
          message: { text: toMessage(diagnostic) },
          locations: [toLocation(diagnostic.file, diagnostic.range, files.indexOf(diagnostic.file))],
          ...toRelated(diagnostic.related),
          partialFingerprints: fingerprintOf(diagnostic),
          properties: { pointer: diagnostic.pointer },
        })),
      },
    ],
  })}\n`
}

const sourceRoot = '%SRCROOT%'
const levels = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>

/** Keeps all diagnostics in order, or the most severe if there are too many. Errors are only dropped above the GitHub limit. */
function keepMostSevere(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= maxResults) return diagnostics
  const { errors } = countFindings(diagnostics)
  return bySeverity(diagnostics).slice(0, Math.min(Math.max(maxResults, errors), maxUploaded))
}

function describeCut(kept: number, all: number): string {
  return `${formatCount(kept, 'result')} of ${formatCount(all, 'diagnostic')} are included, the most severe first. The text and JSON formats have all of them`
}

function toRule(code: DiagnosticCode) {
  const { title, severity } = diagnosticCodes[code]
  const help = helpTexts[code] ?? title
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: help, markdown: help },
    helpUri: diagnosticUrl(code),
    defaultConfiguration: { level: levels[severity] },
    properties: {
      precision: 'very-high',
      'problem.severity': severity === 'info' ? 'recommendation' : severity,
      tags: ['openapi'],
    },
  }
}

function toMessage({ message, hint, section }: Diagnostic): string {
  const lines = [escapeText(message)]
  if (hint !== undefined) lines.push(`Hint: ${hint.split('\n').map(escapeText).join('\n')}`)
  if (section !== undefined) lines.push(escapeText(section))
  return lines.join('\n')
}

function toLocation(file: string, { start, end }: Diagnostic['range'], index?: number) {
  return {
    physicalLocation: {
      artifactLocation: { ...toArtifactLocation(file), ...(index === undefined ? {} : { index }) },
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    },
  }
}

function toRelated(related: readonly RelatedPlace[]) {
  if (related.length === 0) return {}
  return {
    relatedLocations: related.slice(0, maxRelated).map(({ file, range, message }, id) => ({
      id,
      ...toLocation(file, range),
      message: { text: escapeText(message) },
    })),
  }
}

/** Source: SARIF 2.1.0, sections 3.4.3 and 3.4.4: a relative reference by RFC 3986, without `..` next to a base. */
function toArtifactLocation(file: string): { uri: string; uriBaseId?: string } {
  if (isUrl(file)) return { uri: URL.parse(file)?.href ?? 'about:invalid' }
  const steps = toWellFormed(file).split('/')
  const uri = steps.map((step) => encodeURIComponent(step)).join('/')
  return steps[0] === '..' || uri === '' ? { uri: uri || '.' } : { uri, uriBaseId: sourceRoot }
}

/**
 * Creates fingerprints from the problem and its location in the document, not from lines. Equal ones are numbered.
 *
 * GitHub only uses `primaryLocationLineHash`, and would compute it from the surrounding lines if it were missing.
 */
function toFingerprints(): (diagnostic: Diagnostic) => { [name: string]: string } {
  const seen = new Map<string, number>()
  return ({ code, file, pointer, message }) => {
    const hash = createHash('sha256')
      .update(toWellFormed(JSON.stringify([code, file, pointer, message])))
      .digest('hex')
      .slice(0, 32)
    const number = (seen.get(hash) ?? 0) + 1
    seen.set(hash, number)
    return { primaryLocationLineHash: `${hash.slice(0, 16)}:${number}`, 'openapiPages/v1': `${hash}:${number}` }
  }
}
