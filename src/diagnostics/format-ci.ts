import { createHash } from 'node:crypto'
import help from '../../texts/diagnostics-help.json' with { type: 'json' }
import { escapeText, toOneLine, toSafeJson, toWellFormed, toXmlAttributes, toXmlLines } from '../text/plain/escape-text.ts'
import { groupBy } from '../text/plain/lists.ts'
import { encodeUrlPart, isUrl } from '../text/plain/paths.ts'
import type { Range } from '../text/plain/source-file.ts'
import {
  bySeverity,
  countFindings,
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  formatCount,
  isDiagnosticCode,
  type RelatedPlace,
  type RuleReference,
  ruleNameOf,
  ruleUrlOf,
  type Severity,
} from './diagnostic.ts'
import { toPlaceText } from './format-text.ts'

/**
 * Formats diagnostics as one line each: `file:line:column: message [severity/code]`. Ends with a newline. Returns `''` for no diagnostics.
 *
 * Source: the `unix` format of ESLint.
 */
export function formatUnix(diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map((diagnostic) => {
    const { severity, file, range } = diagnostic
    return `${toPlaceText(file, range.start)}: ${describe(diagnostic)} [${severity}/${escapeText(ruleNameOf(diagnostic))}]\n`
  })
  return lines.join('')
}

/** Formats diagnostics as a Checkstyle report. Ends with a newline. @see https://checkstyle.org/ */
export function formatCheckstyle(diagnostics: readonly Diagnostic[]): string {
  const files = [...groupBy(diagnostics, ({ file }) => file)].map(([file, found]) => {
    const rows = found.map((diagnostic) => {
      const { severity, range } = diagnostic
      const { line, column } = range.start
      const source = `openapi-pages.${ruleNameOf(diagnostic)}`
      const attributes = { line, column, severity, message: describe(diagnostic), source }
      return `    <error ${toXmlAttributes(attributes)}/>\n`
    })
    return `  <file ${toXmlAttributes({ name: file })}>\n${rows.join('')}  </file>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${files.join('')}</checkstyle>\n`
}

/**
 * Formats diagnostics as a JUnit report with a test suite per file and a test case per diagnostic. Ends with a newline.
 *
 * Errors are failures. Warnings and infos are passed tests. A document without diagnostics is one passed test.
 *
 * @param documents the documents that were checked.
 * @see https://github.com/testmoapp/junitxml
 */
export function formatJunit(diagnostics: readonly Diagnostic[], documents: readonly string[]): string {
  const found = groupBy(diagnostics, ({ file }) => file)
  const named = [...new Set([...documents, ...diagnostics.map(({ file }) => file)])]
  // Jenkins rejects reports without tests.
  const files = named.length === 0 ? ['No documents'] : named
  const suites = files.map((file) => {
    const cases = found.get(file)?.map(toTestCase) ?? [{ attributes: { name: 'No problems', classname: file } }]
    return { name: file, cases }
  })
  return formatJunitReport('openapi-pages check', suites)
}

function toTestCase(diagnostic: Diagnostic): JunitCase {
  const { severity, message, file, range, hint } = diagnostic
  const rule = ruleNameOf(diagnostic)
  const name = `${toPlaceText(file, range.start)} ${message} (${rule})`
  const lines = [
    `${severity}: ${escapeText(message)}`,
    ...(hint === undefined ? [] : [`hint: ${escapeText(toOneLine(hint))}`]),
    toPlaceText(file, range.start),
    ruleUrlOf(diagnostic),
  ]
  const attributes = { name, classname: file, file, line: range.start.line }
  return { attributes, lines, failure: severity === 'error' ? { message, type: rule } : undefined }
}

/** A test of a JUnit report. */
interface JunitCase {
  readonly attributes: { readonly name: string; readonly classname: string; readonly file?: string; readonly line?: number }
  /** Escaped, except for XML. */
  readonly lines?: readonly string[]
  /** Absent for a test that passed. */
  readonly failure?: { readonly message: string; readonly type: string } | undefined
}

/** Formats a JUnit report. Ends with a newline. */
export function formatJunitReport(
  title: string,
  suites: readonly { readonly name: string; readonly cases: readonly JunitCase[] }[],
): string {
  const count = (cases: readonly JunitCase[]) => {
    return { tests: cases.length, failures: cases.filter(({ failure }) => failure).length, errors: 0 }
  }
  const all = { name: title, ...count(suites.flatMap(({ cases }) => cases)), time: 0 }
  const parts = suites.map(({ name, cases }) => {
    const attributes = toXmlAttributes({ name, ...count(cases), skipped: 0, time: 0 })
    return `  <testsuite ${attributes}>\n${cases.map(renderTestCase).join('')}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${toXmlAttributes(all)}>\n${parts.join('')}</testsuites>\n`
}

function renderTestCase({ attributes: { name, classname, ...place }, lines, failure }: JunitCase): string {
  const attributes = toXmlAttributes({ name, classname, time: 0, ...place })
  if (!lines) return `    <testcase ${attributes}/>\n`
  const text = toXmlLines(lines)
  const body = failure ? `<failure ${toXmlAttributes({ ...failure })}>${text}</failure>` : `<system-out>${text}</system-out>`
  return `    <testcase ${attributes}>\n      ${body}\n    </testcase>\n`
}

const gitlabSeverities: { readonly [severity in Severity]: string } = { error: 'critical', warning: 'minor', info: 'info' }

/**
 * Formats diagnostics as a code quality report of GitLab. Ends with a newline.
 *
 * A fingerprint depends on the problem and its location in the document, not on lines, so that GitLab recognizes known problems.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function formatGitlab(diagnostics: readonly Diagnostic[]): string {
  const seen = new Map<string, number>()
  const issues = diagnostics.map((diagnostic) => {
    const { severity, message, file, range, pointer } = diagnostic
    const rule = ruleNameOf(diagnostic)
    const identity = JSON.stringify([rule, file, pointer, message])
    const count = seen.get(identity) ?? 0
    seen.set(identity, count + 1)
    return {
      description: describe(diagnostic),
      check_name: rule,
      fingerprint: createHash('sha256').update(`${identity}\0${count}`).digest('hex'),
      severity: gitlabSeverities[severity],
      location: { path: file, lines: { begin: range.start.line, end: Math.max(range.start.line, range.end.line) } },
    }
  })
  return `${toSafeJson(issues)}\n`
}

/** The message and hint in one line, escaped. */
function describe({ message, hint }: Diagnostic): string {
  return hint === undefined ? escapeText(message) : `${escapeText(message)}. ${escapeText(toOneLine(hint))}`
}

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
  const keptDiagnostics = keepMostSevere(diagnostics)
  const left = diagnostics.length - keptDiagnostics.length
  return formatSarifLog({
    version,
    isComplete,
    notification: left === 0 ? undefined : describeCut(keptDiagnostics.length, diagnostics.length),
    rules: [...new Map(keptDiagnostics.map((diagnostic) => [toRuleId(diagnostic), diagnostic])).values()].map(toRule),
    results: keptDiagnostics.map((diagnostic) => ({
      ruleId: toRuleId(diagnostic),
      level: levels[diagnostic.severity],
      message: toMessage(diagnostic),
      place: diagnostic,
      related: diagnostic.related,
      identity: [toRuleId(diagnostic), diagnostic.file, diagnostic.pointer, diagnostic.message],
      properties: { pointer: diagnostic.pointer },
    })),
  })
}

type SarifLevel = 'error' | 'warning' | 'note'

/** A `reportingDescriptor`. */
interface SarifRule {
  readonly id: string
  readonly title: string
  /** Absent if the title says everything. */
  readonly description?: string
  /** Markdown. */
  readonly help: string
  readonly url: string
  /** Absent if it differs between results. */
  readonly level: SarifLevel | undefined
}

interface SarifResult {
  readonly ruleId: string
  readonly level: SarifLevel
  /** Escaped; lines are separated by newlines. */
  readonly message: string
  readonly place: { readonly file: string; readonly range: Range }
  readonly related: readonly RelatedPlace[]
  /** What identifies the result in later runs. Contains no lines. */
  readonly identity: readonly string[]
  /** Why the result is accepted, escaped. */
  readonly suppression?: string | undefined
  readonly properties: { readonly [name: string]: unknown }
}

interface SarifLog {
  readonly version: string | undefined
  readonly isComplete: boolean
  /** A warning about the whole run. */
  readonly notification: string | undefined
  readonly rules: readonly SarifRule[]
  /** At most 25,000, the limit of GitHub. */
  readonly results: readonly SarifResult[]
}

/** Formats a log with one run of this tool. Ends with a newline. */
export function formatSarifLog({ version, isComplete, notification, rules, results }: SarifLog): string {
  const sorted = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const ruleIndexes = new Map(sorted.map(({ id }, index) => [id, index]))
  const files = [...new Set(results.map(({ place }) => place.file))].sort()
  const fileIndexes = new Map(files.map((file, index) => [file, index]))
  const fingerprintOf = toFingerprints()
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
            rules: sorted.map(toDescriptor),
          },
        },
        invocations: [
          {
            executionSuccessful: isComplete,
            toolExecutionNotifications: notification === undefined ? [] : [{ level: 'warning', message: { text: notification } }],
          },
        ],
        columnKind: 'utf16CodeUnits',
        newlineSequences: ['\r\n', '\n', '\r'],
        originalUriBaseIds: { [sourceRoot]: { description: { text: 'The root of the repository' } } },
        artifacts: files.map((file) => ({ location: toArtifactLocation(file) })),
        results: results.map(({ ruleId, level, message, place, related, identity, suppression, properties }) => ({
          ruleId,
          ruleIndex: ruleIndexes.get(ruleId),
          level,
          message: { text: message },
          locations: [toLocation(place.file, place.range, fileIndexes.get(place.file))],
          ...toRelated(related),
          partialFingerprints: fingerprintOf(identity),
          // Source: SARIF 2.1.0, section 3.35. The acceptance is in a separate file.
          ...(suppression === undefined
            ? {}
            : { suppressions: [{ kind: 'external', status: 'accepted', justification: suppression }] }),
          properties,
        })),
      },
    ],
  })}\n`
}

function toDescriptor({ id, title, description = title, help, url, level }: SarifRule) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: description },
    help: { text: help, markdown: help },
    helpUri: url,
    ...(level === undefined ? {} : { defaultConfiguration: { level } }),
    properties: {
      precision: 'very-high',
      ...(level === undefined ? {} : { 'problem.severity': level === 'note' ? 'recommendation' : level }),
      tags: ['openapi'],
    },
  }
}

const sourceRoot = '%SRCROOT%'
const levels = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, SarifLevel>

/** Keeps all diagnostics in order, or the most severe if there are too many. */
function keepMostSevere(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const count = limitResults(diagnostics.length, countFindings(diagnostics).errors)
  return count === diagnostics.length ? diagnostics : bySeverity(diagnostics).slice(0, count)
}

/** The number of results that a log can have. Errors are only dropped above the GitHub limit. */
export function limitResults(count: number, errorCount: number): number {
  return Math.min(count, Math.max(maxResults, errorCount), maxUploaded)
}

function describeCut(kept: number, all: number): string {
  return `${formatCount(kept, 'result')} of ${formatCount(all, 'diagnostic')} are included, the most severe first. The text and JSON formats have all of them`
}

function toRule(diagnostic: Diagnostic): SarifRule {
  const { code, rule } = diagnostic
  const { title, severity } = diagnosticCodes[code]
  const level = rule ? diagnostic.severity : severity
  return {
    id: toRuleId(diagnostic),
    ...(rule ? describeRule(rule, title) : { title }),
    help: `**${level}** · ${renderHelp(code)}`,
    url: ruleUrlOf(diagnostic),
    level: levels[level],
  }
}

/** The name of a rule or code. A rule of a ruleset can have the name of one of our codes, which is another rule. */
function toRuleId(diagnostic: Diagnostic): string {
  const name = ruleNameOf(diagnostic)
  return diagnostic.rule && isDiagnosticCode(name) ? `ruleset/${name}` : name
}

/** GitHub cuts descriptions at this length. Source: "SARIF support for code scanning", `reportingDescriptor`. */
const maxDescription = 1024

function describeRule({ name, description = '' }: RuleReference, kind: string): Pick<SarifRule, 'title' | 'description'> {
  const lines = description.trim().slice(0, maxDescription).split(/\r?\n/)
  const [first = ''] = lines
  if (first === '') return { title: `${kind}: ${escapeText(name)}` }
  return { title: escapeText(first), description: lines.map(escapeText).join('\n') }
}

function toMessage({ message, hint, section }: Diagnostic): string {
  const lines = [escapeText(message)]
  if (hint !== undefined) lines.push(`Hint: ${hint.split('\n').map(escapeText).join('\n')}`)
  if (section !== undefined) lines.push(escapeText(section))
  return lines.join('\n')
}

function toLocation(file: string, { start, end }: Range, index?: number) {
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
  const uri = steps.map((step) => encodeUrlPart(step)).join('/')
  return steps[0] === '..' || uri === '' ? { uri: uri || '.' } : { uri, uriBaseId: sourceRoot }
}

/**
 * Creates fingerprints from the problem and its location in the document, not from lines. Equal ones are numbered.
 *
 * GitHub only uses `primaryLocationLineHash`, and would compute it from the surrounding lines if it were missing.
 */
function toFingerprints(): (identity: readonly string[]) => { [name: string]: string } {
  const seen = new Map<string, number>()
  return (identity) => {
    const hash = createHash('sha256')
      .update(toWellFormed(JSON.stringify(identity)))
      .digest('hex')
      .slice(0, 32)
    const number = (seen.get(hash) ?? 0) + 1
    seen.set(hash, number)
    return { primaryLocationLineHash: `${hash.slice(0, 16)}:${number}`, 'openapiPages/v1': `${hash}:${number}` }
  }
}

/** A part of a document, page or setting that produces a diagnostic, or one that does not. */
export interface DiagnosticExample {
  readonly verdict: 'wrong' | 'right'
  /** What it is a part of, which decides the test that checks it. */
  readonly kind: string
  /** As in code blocks of Markdown. */
  readonly language: string
  /** A whole document. */
  readonly isRaw?: boolean
  /** Lines. */
  readonly text: readonly string[]
}

/** The explanation of a code. Texts are Markdown, with links relative to `docs`. */
interface DiagnosticHelp {
  /** The chapter of `docs/diagnostics.md` that starts with the code. */
  readonly chapter?: { readonly title: string; readonly intro?: string }
  /** What is wrong, and why it matters. */
  readonly what: string
  /** In the imperative, after "Fix:". */
  readonly fix: string
  /** Of a specification. */
  readonly section?: string
  readonly examples: readonly DiagnosticExample[]
}

/** The explanations of all codes. Large, so only load this module where they are shown. */
export const diagnosticHelp = help as { readonly [code in DiagnosticCode]: DiagnosticHelp }

/** What a code means and how to fix it, in Markdown, with absolute links. */
export function renderMeaning(code: DiagnosticCode): string {
  const { what, fix, section } = diagnosticHelp[code]
  const text = [what, `**Fix:** ${fix}`, ...(section === undefined ? [] : [`Section: ${section}.`])].join('\n\n')
  const base = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/'
  return text.replace(/\]\(#([\w-]+)\)/g, `](${base}diagnostics.md#$1)`).replace(/\]\((?!https?:)([\w./#-]+)\)/g, `](${base}$1)`)
}

/** The text of an example with its final line end. */
export function toText({ text }: DiagnosticExample): string {
  return text.map((line) => `${line}\n`).join('')
}

/** The explanation of a code with its examples, in Markdown. */
export function renderHelp(code: DiagnosticCode): string {
  const blocks = diagnosticHelp[code].examples.map((example) => {
    const title = example.verdict === 'wrong' ? 'Wrong' : 'Right'
    return `\n\n${title}:\n\n\`\`\`${example.language}\n${toText(example)}\`\`\``
  })
  return `${renderMeaning(code)}${blocks.join('')}`
}
