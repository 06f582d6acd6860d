import { relative, resolve, sep } from 'node:path'
import { countFindings, type Diagnostic, type Finding, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-text.ts'
import { useBaseline } from '../../docs/check/run-check.ts'
import { toBasePath } from '../../docs/config/project-config.ts'
import { readNearestConfig } from '../../docs/read/find-docs.ts'
import type { DocsAccess } from '../../docs/types.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { isInside, type OwnPath, resolveThroughLinks, toUserPath, type UserPath } from '../../files/boundary.ts'
import { resolveOutput } from '../../files/disk-writes.ts'
import { withoutFiles } from '../../files/files.ts'
import { openOutputFolder, type PublishedFolder } from '../../files/output-folder.ts'
import { readSiteAssets } from '../../site/make/assets/read-site-assets.ts'
import { type BuiltSite, buildSite } from '../../site/make/build-site.ts'
import { type EmitFile, emptyMemory, stampMemory } from '../../site/make/render-memory.ts'
import { ConfigError } from '../../text/errors.ts'
import { toSafeJson } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { addDocumentOptions, type DocumentOptions } from '../open/filter-document.ts'
import { openSiteCache } from '../open/site-cache.ts'
import { openSite } from '../open/site-root.ts'
import type { Workspace } from '../open/workspace.ts'
import { formatVerdict } from '../print/check-summary.ts'
import { choosePalette, printDiagnostics } from '../print/terminal.ts'

interface BuildCommandOptions extends CommonOptions, DocumentOptions {
  /** False with `--no-cache`: render every page. */
  readonly cache: boolean
  readonly output?: UserPath | OwnPath
  /** Build into a folder with other files, and overwrite files changed since the last build. */
  readonly force: boolean
  readonly base?: string
  readonly url?: string
}

/** The options of `build`. */
export const defineBuildCommand: DefineCommand = (command) => {
  command
    .option('-o, --output <directory>', 'output directory (default: site)', toUserPath)
    .option(
      '--base <path>',
      'path of the site on its host, such as /docs/ (default: the path of --url, else `site.base`, else /)',
    )
    .option('--url <url>', 'full URL of the site, for canonical links and the sitemap')
    .option('--no-cache', 'render every page, including pages unchanged since the last build')
    .option('--force', 'allow an output directory with other files (they are kept), and overwrite edited files', false)
  addDocumentOptions(command)
  addCommonOptions(command, ['text', 'json'])
  return runBuildCommand
}

/** Builds the site of a docs directory or OpenAPI document. Replaces the output folder only after the whole site is built. */
async function runBuildCommand(given: string, options: BuildCommandOptions, context: CliContext): Promise<ExitCode> {
  const startedAt = Date.now()
  const found = await buildNamed(given, options, context)
  if (!found) return 2
  const { built, published, shown, knownCount, json } = found
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') context.stdout.write(`${toSafeJson(json)}\n`)
  else {
    await printDiagnostics(context.stdout, { diagnostics, sources: shown.sources }, options, context)
    if (!options.quiet)
      await printSummary(built, published, { diagnostics, knownCount }, Date.now() - startedAt, options, context)
  }
  return toExitCode(shown.diagnostics, { isOpen: published === undefined })
}

/** Builds the site that an argument names. Returns `undefined` like `openSite`. */
export async function buildNamed(given: string, options: BuildCommandOptions, context: CliContext) {
  readSiteUrl(options, undefined)
  const folder = resolveThroughLinks(resolveOutput(options.output ?? toUserPath('site'), context.workingDirectory, 'any'))
  const opened = await openSite(given, 'build', options, context)
  if (!opened) return undefined
  const { source, workspace, progress } = opened
  const { root, access, terms } = source
  const { base, url } = readSiteUrl(options, (await readNearestConfig(root, access)).config.site.base)
  if (!source.madeFiles) workspace.keepCopies(root)
  const inOutput = findOutputInDocs(folder, root, workspace, options)
  const output = openOutputFolder(folder, { force: options.force, shown: options.output ?? 'site' })
  const assets = readSiteAssets()
  let built: BuiltSite
  let published: PublishedFolder | undefined
  try {
    const isOutput = (path: string) => path === inOutput || path.startsWith(`${inOutput}/`)
    const files = inOutput === undefined ? access.files : withoutFiles(access.files, isOutput)
    const stamp = options.cache ? assets.stamp : undefined
    const site = {
      ...opened.toOptions(stamp),
      base,
      url,
      assets: assets.paths,
      readDiagrams: assets.readDiagrams,
      isPreview: false,
    }
    const cache = stamp === undefined ? undefined : openSiteCache(folder, stamp, context)
    const earlier = { stamp: stamp ?? '', memory: cache?.read() ?? emptyMemory, keep: output.keep, read: output.read }
    const emit: EmitFile = (file) => output.add(file.path, file.content)
    built = await buildSite(site, { ...access, files }, emit, earlier, terms, workspace.reporting)
    // One response cannot show that a document is gone.
    if (built.isComplete && built.pageCount > 0 && !(await workspace.lacksKnownDocument())) {
      for (const file of assets.files) output.add(file.path, file.content)
      progress.step('writing files')
      published = await output.publish()
      cache?.write(stampMemory(built.memory, output.stampOf))
    }
  } finally {
    output.discard()
  }
  progress.clear()
  const isKnown = await readKnownProblems(built, root, access)
  const shown = await workspace.show(
    built.diagnostics.filter((diagnostic) => !isKnown(diagnostic)),
    built.sourceOf,
  )
  const knownCount = built.diagnostics.filter(isKnown).length
  return { built, published, shown, knownCount, json: toBuildJson(built, published, shown.diagnostics, options) }
}

/** Whether the baseline of the configuration file lists a problem. `check` reports an unusable baseline. */
export async function readKnownProblems(
  { diagnostics, documents }: Pick<BuiltSite, 'diagnostics' | 'documents'>,
  root: string,
  access: DocsAccess,
): Promise<(diagnostic: Diagnostic) => boolean> {
  const { config } = await readNearestConfig(root, access)
  if (config.baseline === undefined) return () => false
  const toFinding = ({ code, rule, severity, file, pointer, message }: Diagnostic): Finding => {
    return { code, ...(rule && { rule }), severity, file, pointer, message }
  }
  const findings = diagnostics.map(toFinding)
  const use = { path: config.baseline, findings, checked: documents }
  const { isKnown } = await useBaseline(use, access.files)
  return (diagnostic) => isKnown(toFinding(diagnostic))
}

/**
 * Returns the output folder relative to the boundary if it is inside the docs directory, so that the build ignores its files.
 *
 * @throws {ConfigError} if it is the docs directory itself or contains it.
 */
function findOutputInDocs(folder: string, root: string, workspace: Workspace, options: BuildCommandOptions): string | undefined {
  const docsDirectory = resolve(workspace.boundary, root)
  if (isInside(folder, docsDirectory)) {
    const reason = folder === docsDirectory ? 'it is the docs directory' : 'it contains the docs directory'
    throw new ConfigError(`cannot build into ${options.output ?? 'site'}: ${reason}`, {
      hint: 'Choose another directory with -o, such as site',
    })
  }
  return isInside(docsDirectory, folder) ? relative(workspace.boundary, folder).replaceAll(sep, '/') : undefined
}

function toBuildJson(
  { pageCount, operationCount }: BuiltSite,
  published: PublishedFolder | undefined,
  diagnostics: readonly Diagnostic[],
  options: BuildCommandOptions,
) {
  return {
    version: 1 as const,
    output: options.output ?? 'site',
    built: published !== undefined,
    pages: pageCount,
    operations: operationCount,
    files: {
      written: published?.written ?? 0,
      unchanged: published?.unchanged ?? 0,
      removed: published?.removed ?? 0,
      kept: published?.kept ?? [],
    },
    bytes: published?.sizeBytes ?? 0,
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}

async function printSummary(
  { pageCount, operationCount, documents }: BuiltSite,
  published: PublishedFolder | undefined,
  { diagnostics, knownCount }: { readonly diagnostics: readonly Diagnostic[]; readonly knownCount: number },
  milliseconds: number,
  options: BuildCommandOptions,
  { stdout, ...context }: CliContext,
): Promise<void> {
  const palette = choosePalette(stdout, { stdout, ...context }, options.color)
  const shown = options.output ?? 'site'
  const counts = countFindings(diagnostics)
  const known = knownCount === 0 ? [] : [formatCount(knownCount, 'known problem')]
  const problems = [...(diagnostics.length > 0 || knownCount === 0 ? [formatCounts(counts)] : []), ...known].join(', ')
  if (!published) {
    if (diagnostics.length + knownCount > 0) stdout.write(palette.error(`✖ ${problems}, ${shown} not updated\n`))
    return
  }
  for (const path of published.kept) {
    stdout.write(`Kept ${shown}/${path}: no longer part of the site, but edited since the last build\n`)
  }
  const { written, unchanged, removed, sizeBytes } = published
  const changes =
    written + removed === 0
      ? 'unchanged'
      : `${formatCount(written, 'file')} written${removed > 0 ? `, ${removed} removed` : ''}${unchanged > 0 ? `, ${unchanged} unchanged` : ''}`
  const operations = operationCount > 0 ? ` (${formatCount(operationCount, 'operation')})` : ''
  const line = `${formatCount(pageCount, 'page')}${operations} in ${shown}: ${changes}, ${formatSize(sizeBytes)}, ${(milliseconds / 1000).toFixed(1)} s, ${problems}`
  if (counts.errors > 0) stdout.write(palette.error(`✖ ${line}\n`))
  stdout.write(formatVerdict(counts.errors > 0 ? undefined : line, describeStopped(documents), palette))
}

/** A number of bytes for people. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/**
 * Reads `--base` and `--url`, which both end with `/`. The path of `--url` is the default for `--base`, and then the setting.
 *
 * @throws {ConfigError} if a value is invalid or the two contradict each other.
 */
function readSiteUrl({ base, url }: Pick<BuildCommandOptions, 'base' | 'url'>, setting: string | undefined) {
  const parsed = url === undefined ? undefined : parseUrl(url)
  const ofUrl = parsed?.pathname === '/' ? undefined : parsed?.pathname
  const withSlashes = toBasePath(base ?? ofUrl ?? setting ?? '/')
  if (withSlashes === undefined) {
    throw new ConfigError(`cannot use ${base ?? url} as ${base ? '--base' : '--url'}: expected a path such as /docs/`, {
      ...(/^https?:/i.test(base ?? '') && { hint: 'Use --url for the full URL' }),
    })
  }
  if (
    parsed &&
    base !== undefined &&
    parsed.pathname !== '/' &&
    withSlashes !== `${parsed.pathname.replace(/(?<!\/)\/+$/, '')}/`
  ) {
    throw new ConfigError(`cannot use --base ${base} with --url ${url}: the URL has a different path`, {
      hint: 'Remove --base to use the path of --url',
    })
  }
  return { base: withSlashes, url: parsed && new URL(withSlashes, parsed).href }
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '' && parsed.username === '')
    return parsed
  throw new ConfigError(`cannot use ${url} as --url: expected a URL such as https://example.com/docs/`)
}
