import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFindings } from '../../docs/update/update-results.ts'
import { createReadChangelogs, openChangelogSteps } from '../../docs/versions/changelogs.ts'
import { joinOwned } from '../../files/boundary.ts'
import { createFile } from '../../files/disk-writes.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { hashLength } from '../../files/output-folder.ts'
import { createArchiveFiles } from '../../github/repositories/archives.ts'
import { readSiteAssets } from '../../site/make/assets/read-site-assets.ts'
import { type BuiltSite, buildSite } from '../../site/make/build-site.ts'
import { type EarlierBuild, type EmitFile, formatRenderMemory, parseRenderMemory } from '../../site/make/render-memory.ts'
import { reviewSite } from '../../site/make/review-site.ts'
import { reviewRoute } from '../../site/plan/file-types.ts'
import type { SiteAudience } from '../../status/update-record.ts'
import type { SitePath } from '../../store/sites/stored-sites.ts'
import { ConfigError } from '../../text/errors.ts'
import { defaultLimits } from '../../text/plain/limits.ts'
import { type Ask, serveRequests } from '../isolate/untrusted-child.ts'
import { createAskedHistory } from './asked-history.ts'
import {
  type BuiltSiteFiles,
  countFiles,
  type KnownFiles,
  type ReviewRequest,
  type SiteAnswer,
  type SiteRequest,
} from './built-site.ts'
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
const conflicting = { kind: 'refused', reason: 'files of the site conflict, see `openapi-pages build`' } as const

serveRequests(async (request: SiteRequest | ReviewRequest, ask): Promise<SiteAnswer> => {
  try {
    return 'review' in request ? await addReview(request) : await buildSiteFiles(request, ask)
  } catch (error) {
    if (error instanceof SiteLimitError) return { kind: 'refused', reason: error.message, setting: error.setting }
    return toRefusal(error)
  }
})

type RefusedSite = Extract<SiteAnswer, { kind: 'refused' }>

/** A restricted part would be published. */
function toRefusal(error: unknown): RefusedSite {
  if (error instanceof ConfigError) return { kind: 'refused', reason: error.message }
  throw error
}

/** The reason for readers of the record, who may not know what is only for the audience. */
function toOwnReason(refused: RefusedSite, name: string): RefusedSite {
  const reason = `the site of the audience \`${name}\` cannot be built, see \`openapi-pages build --audience ${name}\``
  return { ...refused, reason }
}

async function buildSiteFiles(request: SiteRequest, ask: Ask): Promise<SiteAnswer> {
  const { isFork, stamp, audiences = [] } = request
  const output = createOutput(request)
  const changelogs = createChangelogs(request, ask)
  const build = createBuild(request, changelogs.read, output)
  const result = await build('public')
  if ('reason' in result) return audiences.length === 0 ? result : toOwnReason(result, 'public')
  const { diagnostics, pageCount, pages } = result
  // Readers of the record read what everyone reads.
  const changelogProblems = [...changelogs.problems]
  const ofAudiences: { audience: SiteAudience; files: readonly SitePath[] }[] = []
  const memories = [formatRenderMemory(result.memory, stamp)]
  for (const audience of isFork ? [] : audiences) {
    const built = await build(audience.name, result)
    if ('reason' in built) return toOwnReason(built, audience.name)
    ofAudiences.push({ audience, files: listPaths(built.files) })
    memories.push(formatRenderMemory(built.memory, stamp))
  }
  return {
    kind: 'built',
    site: {
      pageCount,
      pages,
      files: listPaths(result.files),
      audiences: ofAudiences,
      sizeBytes: output.sizeBytes(),
      memory: [...memories, changelogs.format()].join(partSeparator),
      changelogProblems,
      findings: diagnostics
        // They name what is only for audiences.
        .filter(({ code, severity }) => code !== 'content-restricted' || (severity !== 'info' && audiences.length === 0))
        .slice(0, maxFindings)
        .flatMap((diagnostic) => listFindings([diagnostic])),
    },
  }
}

interface MadeSite extends BuiltSite {
  readonly files: OutputFiles
}

/** Creates the function that builds the site of an audience. `shared`: the public site, whose copied files are not read again. */
function createBuild(
  request: SiteRequest,
  readChangelogs: ReturnType<typeof createReadChangelogs>,
  output: ReturnType<typeof createOutput>,
) {
  const { root, url, isFork, audiences, stamp } = request
  const assets = readSiteAssets()
  const access = openAccess(request)
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
    readChangelogs,
  }
  return async (audience: string, shared?: MadeSite): Promise<MadeSite | RefusedSite> => {
    const { emit, files, ...own } = output.open(request.earlier?.sites.get(audience), shared?.files)
    const known = parseRenderMemory(readMemory(request, audience), stamp)
    const memory = { ...known, assets: new Map([...known.assets, ...(shared?.memory.assets ?? [])]) }
    const result = await buildSite(site, access, emit, { stamp, memory, ...own }, { audience, audiences }).catch(toRefusal)
    if ('reason' in result) return result
    for (const file of assets.files) emit(file)
    if (result.pageCount === 0) return noPages
    const excess = result.diagnostics.find(({ message }) => message.startsWith(tooLarge))
    if (excess) return { kind: 'refused', reason: excess.message.slice(tooLarge.length), setting: 'SITE_MAX_MB' }
    return result.isComplete ? { ...result, files } : conflicting
  }
}

async function addReview(request: ReviewRequest): Promise<SiteAnswer> {
  const { root, review } = request
  const { audiences, built } = request
  const output = createOutput(request, built)
  const { files, emit } = output.open()
  const versions = { base: openAccess({ ...request, ...review.base }), revision: openAccess(request) }
  for (const [name, content] of await reviewSite(root, versions, { ...review, audiences }))
    emit({ path: `${reviewRoute}/${name}`, content })
  const sizeBytes = output.sizeBytes()
  return { kind: 'built', site: { ...built, files: [...built.files, ...listPaths(files)], sizeBytes } }
}

function openAccess(request: SiteRequest) {
  // A repository must not raise the limits that protect the app.
  const limitCeilings = { ...defaultLimits.values, 'assets-size': request.maxBytes }
  return { files: createArchiveFiles(request), fetchDocument: createFetchDocument(), limitCeilings }
}

/** Separates the parts of the build cache. Each ends with a line break, and has no empty line. */
const partSeparator = '\n'

/** The part of the build cache for an audience or, without a name, for the changelogs, which are last. */
function readMemory({ earlier }: SiteRequest, audience?: string): string {
  const names = [...(earlier?.sites.keys() ?? [])]
  return earlier?.memory.split(`\n${partSeparator}`)[audience === undefined ? names.length : names.indexOf(audience)] ?? ''
}

/** The most comparisons that are kept for the next build, in characters. */
const maxStepCharacters = 16 * 1024 * 1024

/** Reads changelogs with the comparisons of the earlier build. */
function createChangelogs(request: SiteRequest, ask: Ask) {
  const problems: string[] = []
  const cache = openChangelogSteps(readMemory(request), request.stamp)
  const history = createAskedHistory(ask, request)
  const read = createReadChangelogs(history, { cache, warn: (line) => problems.push(line), now: Date.now })
  return {
    read,
    problems,
    /** The comparisons of this build, for its cache. */
    format(): string {
      const text = cache.format()
      return text.length > maxStepCharacters ? '' : text
    },
  }
}

/** Paths with hash and size. */
type OutputFiles = Map<string, SitePath & { readonly sizeBytes: number }>

function listPaths(files: OutputFiles): SitePath[] {
  return Array.from(files.values(), ({ path, hash }) => ({ path, hash }))
}

/** Writes new files of the site to a folder, named by their hashes. Enforces the limits for the sum of all audiences, and what `site` has already. */
function createOutput({ earlier, output, maxFiles, maxBytes }: SiteRequest, site?: BuiltSiteFiles) {
  /** Where each content is. */
  const known = [...(earlier?.sites.values() ?? [])].flatMap((files) => [...files.values()])
  const folders = new Map(known.map(({ hash }) => [hash, earlier?.folder ?? output]))
  let fileCount = site ? countFiles(site) : 0
  let sizeBytes = site?.sizeBytes ?? 0

  /** @throws {SiteLimitError} */
  const take = (files: OutputFiles, file: SitePath & { readonly sizeBytes: number }): void => {
    sizeBytes += file.sizeBytes
    fileCount += files.has(file.path) ? 0 : 1
    files.set(file.path, file)
    const tooMany = `the site has more than ${maxFiles.toLocaleString('en-US')} files`
    if (fileCount > maxFiles) throw new SiteLimitError(tooMany, 'SITE_MAX_FILES')
    const tooLong = `the site has more than ${Math.floor(maxBytes / 1024 / 1024)} MB`
    if (sizeBytes > maxBytes) throw new SiteLimitError(tooLong, 'SITE_MAX_MB')
  }

  return {
    sizeBytes: () => sizeBytes,
    /** Opens the site of an audience, which can keep files of its earlier one and of another. */
    open(before: KnownFiles = new Map(), other: KnownFiles = new Map()) {
      const files: OutputFiles = new Map()
      const emit: EmitFile = ({ path, content }) => {
        const bytes = Buffer.from(content)
        const hash = hashSiteContent(bytes)
        take(files, { path, hash, sizeBytes: bytes.length })
        if (!folders.has(hash)) {
          folders.set(hash, output)
          createFile(joinOwned(output, hash), bytes)
        }
        return hash.slice(0, hashLength)
      }
      const keep: EarlierBuild['keep'] = (wanted) => {
        const reusable = wanted.flatMap(({ path, hash }) => {
          // The build cache stores a prefix of the same hash.
          const found = [before.get(path), other.get(path)].find((file) => file?.hash.startsWith(hash))
          return found ? [{ ...found, path }] : []
        })
        if (reusable.length < wanted.length) return false
        for (const file of reusable) take(files, file)
        return true
      }
      const read: EarlierBuild['read'] = (path) => {
        const { hash = '' } = before.get(path) ?? {}
        const folder = folders.get(hash)
        return folder === undefined ? undefined : readFileSync(join(folder, hash))
      }
      return { files, emit, keep, read }
    },
  }
}
