import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedRepository, CheckRequest } from '../../../src/app/check/check-archive.ts'
import type { CompareRequest } from '../../../src/app/check/compare-archives.ts'
import type { RunProgram } from '../../../src/app/isolate/untrusted-process.ts'
import type { SiteProgram } from '../../../src/app/publish/build-run-site.ts'
import type { BuiltSiteFiles, SiteAnswer, SiteRequest } from '../../../src/app/publish/built-site.ts'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts'
import { defaultConfig } from '../../../src/docs/config/project-config.ts'
import type { Random } from '../random.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * What the files of a commit are, for the model of the programs: `refused` has a site that cannot be built, and `stopped` a document that
 * takes too long to check.
 */
export type Quality = 'valid' | 'errors' | 'no-docs' | 'refused' | 'stopped'

/** What the programs find in a commit. */
export interface CommitContent {
  readonly quality: Quality
  readonly errors: number
  readonly warnings: number
}

export function toContent(quality: Quality, number: number): CommitContent {
  const hasWarnings = quality === 'valid' || quality === 'errors'
  return { quality, errors: quality === 'errors' ? 1 + (number % 4) : 0, warnings: hasWarnings ? number % 3 : 0 }
}

/** The files of a commit. Each commit has its own. */
export function toFiles(content: CommitContent, number: number): Readonly<Record<string, string | null>> {
  const isDocs = content.quality !== 'no-docs'
  return {
    'README.md': `# ${number}\n`,
    'docs.json': isDocs ? '{}\n' : null,
    'openapi.yaml': isDocs ? `${JSON.stringify({ ...content, number })}\n` : null,
  }
}

/** Why a program did not finish its work. */
export const stopReasons = { refused: 'the site has too many files', stopped: 'the check used more than 512 MB of memory' }

/** Models of the programs that check documents and build sites, which run in other processes. Their time passes on the virtual clock. */
export function createPrograms(scheduler: () => Scheduler, random: () => Random, isDiskFull: () => boolean) {
  // Some take longer than a lease.
  const delay = () =>
    random()() < 0.5 ? 0 : Math.floor(random()() * (random()() < 0.2 ? (random()() < 0.1 ? 45_000 : 12_000) : 2_000))
  const fail = () => {
    if (isDiskFull()) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    // Such as one that the system ends because memory is low.
    if (random()() < 0.02) throw new Error('The process of the check ended without a result (SIGKILL)')
  }
  const runCheck: RunProgram = async <Answer>(
    { request }: { readonly request: unknown },
    _limits: unknown,
    { signal, onCpuTime }: { readonly signal: AbortSignal; readonly onCpuTime: (cpuMs: number) => void },
  ) => {
    const asked = request as CheckRequest | CompareRequest // Only these are sent.
    const answer = await scheduler().call({ label: asked.task, delayMs: delay(), signal }, async () => {
      fail()
      return asked.task === 'check' ? checkFiles(asked) : { kind: 'compared', settings: defaultConfig.changes, documents: [] }
    })
    onCpuTime(10)
    if (!answer) return { kind: 'stopped', reason: stopReasons.stopped }
    return { kind: 'answered', answer: answer as Answer } // As the real program.
  }
  const build: RunProgram = async <Answer>(
    { request }: { readonly request: unknown },
    _limits: unknown,
    { signal, onCpuTime }: { readonly signal: AbortSignal; readonly onCpuTime: (cpuMs: number) => void },
  ) => {
    const asked = request as SiteRequest // As above.
    const answer = await scheduler().call({ label: 'build', delayMs: delay(), signal }, async () => {
      fail()
      return buildSite(asked)
    })
    onCpuTime(10)
    return { kind: 'answered', answer: answer as Answer } // As above.
  }
  const siteProgram: SiteProgram = { run: build, stamp: 'simulation' }
  return { runCheck, siteProgram }
}

function readContent(folder: string): CommitContent {
  return JSON.parse(readFileSync(join(folder, 'openapi.yaml'), 'utf8')) as CommitContent // Written by `toFiles`.
}

/** `undefined` if the program is stopped. */
function checkFiles({ folder, github = defaultConfig.github }: CheckRequest): CheckedRepository | undefined {
  const { quality, errors, warnings } = readContent(folder)
  if (quality === 'stopped') return undefined
  const toProblems = (count: number, severity: 'error' | 'warning') =>
    Array.from({ length: count }, (_, index) => toProblem(severity, index + 1))
  const counts = { operationCount: 3, webhookCount: 0, schemaCount: 0, errorCount: errors, warningCount: warnings, infoCount: 0 }
  return {
    kind: 'checked',
    hasDocsConfig: true,
    hasPages: true,
    github: { ...github, deployment: true, 'commit-status': true },
    site: defaultConfig.site,
    documents: [{ path: 'openapi.yaml', version: '3.1.0', valid: errors === 0, ...counts, divisions: [] }],
    documentFiles: [],
    pages: [],
    diagnostics: [...toProblems(errors, 'error'), ...toProblems(warnings, 'warning')],
    report: {
      documents: [],
      pages: [],
      unchangedPageCount: 0,
      findings: [],
      findingCounts: { error: errors, warning: warnings, info: 0 },
    },
    changeCount: 0,
    changes: [],
  }
}

function toProblem(severity: 'error' | 'warning', line: number): Diagnostic {
  const place = { line, column: 1 }
  return {
    code: 'unknown-field',
    severity,
    message: 'Unexpected field `sumary`',
    file: 'openapi.yaml',
    range: { start: place, end: place },
    pointer: '',
    related: [],
  }
}

function buildSite({ folder, output, sha, url }: SiteRequest): SiteAnswer {
  if (readContent(folder).quality === 'refused') return { kind: 'refused', reason: stopReasons.refused }
  const files = [
    { path: 'index.html', text: `<p>Commit ${sha} at ${url}` },
    { path: 'index.md', text: `Commit ${sha}` },
  ]
  const built: BuiltSiteFiles = {
    pageCount: 1,
    pages: [{ route: '', title: 'Start', kind: 'other' }],
    files: files.map(({ path, text }) => {
      const hash = createHash('sha256').update(text).digest('hex')
      writeFileSync(join(output, hash), text)
      return { path, hash }
    }),
    audiences: [],
    sizeBytes: 100,
    memory: 'memory',
    changelogProblems: [],
    findings: [],
  }
  return { kind: 'built', site: built }
}
