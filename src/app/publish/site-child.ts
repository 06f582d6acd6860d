import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFindings } from '../../docs/update/update-results.ts'
import {
  type CachedStep,
  createReadChangelogs,
  formatChangelogSteps,
  parseChangelogSteps,
} from '../../docs/versions/changelogs.ts'
import { joinOwned } from '../../files/boundary.ts'
import { createFile } from '../../files/disk-writes.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { hashLength } from '../../files/output-folder.ts'
import { createArchiveFiles } from '../../github/repositories/archives.ts'
import { readSiteAssets } from '../../site/make/assets/read-site-assets.ts'
import { buildSite } from '../../site/make/build-site.ts'
import {
  type EarlierBuild,
  type EmitFile,
  emptyMemory,
  formatRenderMemory,
  parseRenderMemory,
} from '../../site/make/render-memory.ts'
import { reviewSite } from '../../site/make/review-site.ts'
import { reviewRoute } from '../../site/plan/file-types.ts'
import type { SitePath } from '../../store/sites/stored-sites.ts'
import { ConfigError } from '../../text/errors.ts'
import { defaultLimits } from '../../text/plain/limits.ts'
import { type Ask, serveRequests } from '../isolate/untrusted-child.ts'
import { createAskedHistory } from './asked-history.ts'
import type { BuiltSiteFiles, ReviewRequest, SiteAnswer, SiteRequest } from './built-site.ts'
import { hashSiteContent } from './site-files.ts'

// The process that builds sites from untrusted repositories. Like `check-child.ts`, it has no secrets.

/** Maximum number of problems in the response. */
const maxFindings = 2_000

class SiteLimitError extends Error {
  readonly setting: 'SITE_MAX_FILES' | 'SITE_MAX_MB'

  constructor(reason: string, setting: SiteLimitError['setting']) {
    super(reason)
    this.setting = setting
  }
}

/** How the finding of a build begins whose files have no room. */
const tooLarge = 'Cannot publish the site: '

const noPages = { kind: 'refused', reason: '`docs.json` is unreadable or has no pages' } as const

serveRequests(async (request: SiteRequest | ReviewRequest, ask): Promise<SiteAnswer> => {
  try {
    return 'review' in request ? await addReview(request) : await buildSiteFiles(request, ask)
  } catch (error) {
    if (error instanceof SiteLimitError) return { kind: 'refused', reason: error.message, setting: error.setting }
    // A restricted part would be published.
    if (error instanceof ConfigError) return { kind: 'refused', reason: error.message }
    throw error
  }
})

async function buildSiteFiles(request: SiteRequest, ask: Ask): Promise<SiteAnswer> {
  const { root, url, isFork, stamp, earlier } = request
  const { emit, keep, read, built } = collectFiles(request)
  const assets = readSiteAssets()
  const changelogs = createChangelogs(request, ask)
  const site = {
    root,
    base: '/',
    url,
    assets: assets.paths,
    readDiagrams: assets.readDiagrams,
    isPreview: false,
    // This server decides whether readers of previews may leave them.
    appliesRedirects: true,
    hasMcp: true,
    refusesScripts: isFork,
    readChangelogs: changelogs.read,
  }
  const earlierBuild = { stamp, memory: earlier ? parseRenderMemory(earlier.memory, stamp) : emptyMemory, keep, read }
  const result = await buildSite(site, openAccess(request), emit, earlierBuild)
  for (const file of assets.files) emit(file)
  const { diagnostics, pageCount, pages, memory, isComplete } = result
  if (pageCount === 0) return noPages
  const excess = diagnostics.find(({ message }) => message.startsWith(tooLarge))
  if (excess) return { kind: 'refused', reason: excess.message.slice(tooLarge.length), setting: 'SITE_MAX_MB' }
  if (!isComplete) return { kind: 'refused', reason: 'files of the site conflict, see `openapi-pages build`' }
  return {
    kind: 'built',
    site: {
      pageCount,
      pages,
      ...built(),
      memory: formatRenderMemory(memory, stamp) + changelogs.format(),
      changelogProblems: changelogs.problems,
      findings: diagnostics.slice(0, maxFindings).flatMap((diagnostic) => listFindings([diagnostic])),
    },
  }
}

async function addReview(request: ReviewRequest): Promise<SiteAnswer> {
  const { root, review } = request
  const { emit, built } = collectFiles(request, request.built)
  const versions = { base: openAccess({ ...request, ...review.base }), revision: openAccess(request) }
  const files = await reviewSite(root, versions, review)
  for (const [name, content] of files) emit({ path: `${reviewRoute}/${name}`, content })
  return { kind: 'built', site: { ...request.built, ...built() } }
}

function openAccess(request: SiteRequest) {
  // A repository must not raise the limits that protect the app.
  const limitCeilings = { ...defaultLimits.values, 'assets-size': request.maxBytes }
  return { files: createArchiveFiles(request), fetchDocument: createFetchDocument(), limitCeilings }
}

/** The most comparisons that are kept for the next build, in characters. */
const maxStepCharacters = 16 * 1024 * 1024

/** Reads changelogs with the comparisons of the earlier build, which follow its render memory. */
function createChangelogs(request: SiteRequest, ask: Ask) {
  const { earlier, stamp } = request
  // The render memory has two lines.
  const [, , sum = '', body = ''] = earlier?.memory.split('\n', 4) ?? []
  const known = parseChangelogSteps(`${sum}\n${body}\n`, stamp)
  const used = new Map<string, CachedStep>()
  const problems: string[] = []
  const cache = {
    get: (key: string) => known.get(key),
    set(key: string, step: CachedStep) {
      known.set(key, step)
      used.set(key, step)
    },
  }
  const history = createAskedHistory(ask, request)
  const read = createReadChangelogs(history, { cache, warn: (line) => problems.push(line), now: Date.now })
  return {
    read,
    problems,
    /** The comparisons of this build, to append to its render memory. */
    format(): string {
      const text = used.size === 0 ? '' : formatChangelogSteps(used, stamp)
      return text.length > maxStepCharacters ? '' : text
    },
  }
}

/** @throws {SiteLimitError} */
function rejectLarge(
  { maxFiles, maxBytes }: SiteRequest,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): void {
  if (files > maxFiles)
    throw new SiteLimitError(`the site has more than ${maxFiles.toLocaleString('en-US')} files`, 'SITE_MAX_FILES')
  if (bytes > maxBytes) throw new SiteLimitError(`the site has more than ${Math.floor(maxBytes / 1024 / 1024)} MB`, 'SITE_MAX_MB')
}

/** Writes new files of the site to a folder, named by their hashes, and lists them after those of `site`. Enforces the limits. */
function collectFiles(request: SiteRequest, site?: BuiltSiteFiles) {
  const { earlier, output } = request
  const known = new Set(Array.from(earlier?.files.values() ?? [], ({ hash }) => hash))
  const files = new Map<string, SitePath>(site?.files.map((file) => [file.path, file]))
  let sizeBytes = site?.sizeBytes ?? 0

  const take = (file: SitePath, bytes: number): void => {
    sizeBytes += bytes
    files.set(file.path, file)
    rejectLarge(request, { files: files.size, bytes: sizeBytes })
  }

  const emit: EmitFile = ({ path, content }) => {
    const bytes = Buffer.from(content)
    const hash = hashSiteContent(bytes)
    take({ path, hash }, bytes.length)
    if (!known.has(hash)) {
      known.add(hash)
      createFile(joinOwned(output, hash), bytes)
    }
    return hash.slice(0, hashLength)
  }

  const keep: EarlierBuild['keep'] = (wanted) => {
    const reusable = wanted.flatMap(({ path, hash }) => {
      const found = earlier?.files.get(path)
      // The build cache stores a prefix of the same hash.
      return found?.hash.startsWith(hash) ? [{ path, ...found }] : []
    })
    if (reusable.length < wanted.length) return false
    for (const { path, hash, sizeBytes: bytes } of reusable) take({ path, hash }, bytes)
    return true
  }

  const read: EarlierBuild['read'] = (path) => {
    const { hash } = earlier?.files.get(path) ?? {}
    return hash === undefined ? undefined : readFileSync(join(earlier?.folder ?? '', hash))
  }
  return { emit, keep, read, built: () => ({ files: [...files.values()], sizeBytes }) }
}
