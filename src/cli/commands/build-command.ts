import { relative, resolve, sep } from 'node:path'
import { type BuiltSite, buildSite } from '../../builder/build-site.ts'
import { readSiteAssets } from '../../builder/read-site-assets.ts'
import { emptyMemory, stampMemory } from '../../builder/render-memory.ts'
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { countFindings, formatCount, formatCounts } from '../../diagnostic/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostic/format-json.ts'
import { ConfigError } from '../../errors.ts'
import { isInside, resolveThroughLinks } from '../../files/boundary.ts'
import { withoutFolder } from '../../files/files.ts'
import { openOutputFolder, type PublishedFolder } from '../../files/output-folder.ts'
import { toSafeJson } from '../../text/escape-text.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { tellUnreadable, toExitCode } from '../command-errors.ts'
import type { BuildCommandOptions } from '../command-options.ts'
import { printFindings } from '../print-findings.ts'
import { openSiteCache } from '../site-cache.ts'
import { findSiteRoot, readSiteAddress } from '../site-root.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace, type Workspace } from '../workspace.ts'

/** Builds the site of a docs root, or of one OpenAPI document, into a folder. The folder stays as it was until all of the site is there. */
export async function runBuildCommand(argument: string, options: BuildCommandOptions, context: CliContext): Promise<ExitCode> {
  const startedAt = Date.now()
  const { base, url } = readSiteAddress(options)
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  const folder = resolveThroughLinks(resolve(context.workingDirectory, options.output ?? 'site'))
  const { root, environment, madeFiles } = await findSiteRoot(argument, workspace, context)
  const inOutput = leaveOut(folder, root, workspace, options)
  const output = openOutputFolder(folder, { force: options.force, shown: options.output ?? 'site' })
  const assets = readSiteAssets()
  let built: BuiltSite
  let published: PublishedFolder | undefined
  try {
    const files = inOutput === undefined ? environment.files : withoutFolder(environment.files, inOutput)
    const site = { root, base, url, assets: assets.paths, isPreview: false, ...(madeFiles && { madeFiles }) }
    const stamp = options.cache ? assets.stamp : undefined
    const cache = stamp === undefined ? undefined : openSiteCache(folder, context)
    const earlier = { stamp: stamp ?? '', memory: cache?.read() ?? emptyMemory, keep: output.keep, read: output.read }
    built = await buildSite(site, { ...environment, files }, (file) => output.add(file.path, file.content), earlier)
    if (built.pageCount > 0) {
      for (const file of assets.files) output.add(file.path, file.content)
      progress.step('writing files')
      published = await output.publish()
      cache?.write(stampMemory(built.memory, output.stampOf))
    }
  } finally {
    output.discard()
  }
  progress.clear()
  const shown = await workspace.show(built.diagnostics)
  const findings = tellUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    context.stdout.write(`${toSafeJson(toBuildJson(built, published, shown.diagnostics, options))}\n`)
  } else {
    await printFindings(context.stdout, { diagnostics: findings, sources: shown.sources }, options, context)
    if (!options.quiet) await printSummary(built, published, findings, Date.now() - startedAt, options, context)
  }
  return toExitCode(shown.diagnostics, { isOpen: published === undefined })
}

/**
 * The output folder relative to the boundary, where the docs root holds it: nothing in it is a page or a picture of the site.
 *
 * @throws {ConfigError} for the docs root itself and the folders around it.
 */
function leaveOut(folder: string, root: string, workspace: Workspace, options: BuildCommandOptions): string | undefined {
  const docsRoot = resolve(workspace.boundary, root)
  if (isInside(folder, docsRoot)) {
    const what = folder === docsRoot ? 'the folder of the docs.json itself' : 'a folder around the docs.json'
    throw new ConfigError(`cannot build into ${options.output ?? 'site'}: it is ${what}`, {
      hint: 'Choose another folder with -o, such as site.',
    })
  }
  return isInside(docsRoot, folder) ? relative(workspace.boundary, folder).replaceAll(sep, '/') : undefined
}

function toBuildJson(
  { pageCount, operationCount }: BuiltSite,
  published: PublishedFolder | undefined,
  diagnostics: readonly Diagnostic[],
  options: BuildCommandOptions,
) {
  return {
    version: 1,
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
  { pageCount, operationCount }: BuiltSite,
  published: PublishedFolder | undefined,
  findings: readonly Diagnostic[],
  milliseconds: number,
  options: BuildCommandOptions,
  { stdout, ...context }: CliContext,
): Promise<void> {
  const palette = choosePalette(stdout, { stdout, ...context }, options.color)
  const shown = options.output ?? 'site'
  const counts = countFindings(findings)
  const found = counts.errors + counts.warnings + counts.infos === 0 ? 'nothing found' : formatCounts(counts)
  if (!published) {
    if (findings.length > 0) stdout.write(palette.error(`✖ ${found}: ${shown} stays as it is\n`))
    return
  }
  for (const path of published.kept) {
    stdout.write(`kept ${shown}/${path}: it is no part of the site any more, and somebody changed it\n`)
  }
  const { written, unchanged, removed, sizeBytes } = published
  const changes =
    written + removed === 0
      ? 'unchanged'
      : `${formatCount(written, 'file')} written${removed > 0 ? `, ${removed} removed` : ''}${unchanged > 0 ? `, ${unchanged} unchanged` : ''}`
  const about = operationCount > 0 ? ` (${formatCount(operationCount, 'operation')})` : ''
  const line = `${formatCount(pageCount, 'page')}${about} in ${shown}: ${changes}, ${toSize(sizeBytes)}, ${(milliseconds / 1000).toFixed(1)} s; ${found}`
  stdout.write(counts.errors > 0 ? palette.error(`✖ ${line}\n`) : palette.success(`✔ ${line}\n`))
}

function toSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
