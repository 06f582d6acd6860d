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

/** What the files of a commit are, for the model of the programs. */
export type Quality = 'valid' | 'errors' | 'no-docs' | 'refused'

/** The files of a commit. Each commit has its own. */
export function toFiles(quality: Quality, token: string): Readonly<Record<string, string | null>> {
  const isDocs = quality !== 'no-docs'
  return {
    'README.md': `# ${token}\n`,
    'docs.json': isDocs ? '{}\n' : null,
    'openapi.yaml': isDocs ? `${quality} ${token}\n` : null,
  }
}

/** Models of the programs that check documents and build sites, which run in other processes. Their time passes on the virtual clock. */
export function createPrograms(scheduler: () => Scheduler, random: () => Random) {
  const delay = () => (random()() < 0.5 ? 0 : Math.floor(random()() * (random()() < 0.2 ? 12_000 : 2_000)))
  const runCheck: RunProgram = async <Answer>(
    { request }: { readonly request: unknown },
    _limits: unknown,
    { signal, onCpuTime }: { readonly signal: AbortSignal; readonly onCpuTime: (cpuMs: number) => void },
  ) => {
    const asked = request as CheckRequest | CompareRequest // Only these are sent.
    const answer = await scheduler().call({ label: asked.task, delayMs: delay(), signal }, async () =>
      asked.task === 'check' ? checkFiles(asked) : { kind: 'compared', settings: defaultConfig.changes, documents: [] },
    )
    onCpuTime(10)
    return { kind: 'answered', answer: answer as Answer } // As the real program.
  }
  const build: RunProgram = async <Answer>(
    { request }: { readonly request: unknown },
    _limits: unknown,
    { signal, onCpuTime }: { readonly signal: AbortSignal; readonly onCpuTime: (cpuMs: number) => void },
  ) => {
    const asked = request as SiteRequest // As above.
    const answer = await scheduler().call({ label: 'build', delayMs: delay(), signal }, async () => buildSite(asked))
    onCpuTime(10)
    return { kind: 'answered', answer: answer as Answer } // As above.
  }
  const siteProgram: SiteProgram = { run: build, stamp: 'simulation' }
  return { runCheck, siteProgram }
}

function readQuality(folder: string): Quality {
  return readFileSync(join(folder, 'openapi.yaml'), 'utf8').split(' ')[0] as Quality // Written by `toFiles`.
}

function checkFiles({ folder, github = defaultConfig.github }: CheckRequest): CheckedRepository {
  const hasErrors = readQuality(folder) === 'errors'
  return {
    kind: 'checked',
    hasDocsConfig: true,
    hasPages: true,
    github: { ...github, deployment: true, 'commit-status': true },
    site: defaultConfig.site,
    documents: [],
    documentFiles: [],
    operationPages: [],
    pages: [],
    diagnostics: hasErrors ? [problem] : [],
    report: {
      documents: [],
      pages: [],
      unchangedPageCount: 0,
      findings: [],
      findingCounts: { error: hasErrors ? 1 : 0, warning: 0, info: 0 },
    },
    changeCount: 0,
    changes: [],
  }
}

const place = { line: 1, column: 1 }

const problem: Diagnostic = {
  code: 'unknown-field',
  severity: 'error',
  message: 'Unexpected field `sumary`',
  file: 'openapi.yaml',
  range: { start: place, end: place },
  pointer: '',
  related: [],
}

function buildSite({ folder, output, sha, url }: SiteRequest): SiteAnswer {
  if (readQuality(folder) === 'refused') return { kind: 'refused', reason: 'the site has too many files' }
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
    sizeBytes: 100,
    memory: 'memory',
    changelogProblems: [],
    findings: [],
  }
  return { kind: 'built', site: built }
}
