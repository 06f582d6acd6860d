import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildSite } from '../../builder/build-site.ts'
import { formatCount } from '../../diagnostic/count-findings.ts'
import { ConfigError } from '../../errors.ts'
import type { SiteFile } from '../../site/types.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import type { BuildCommandOptions } from '../command-options.ts'
import { createProgress } from '../create-progress.ts'
import { chooseBoundary, openWorkspace } from '../open-workspace.ts'
import { printFindings } from '../print-findings.ts'
import { readSiteAssets } from '../read-site-assets.ts'

/** Builds the site of a docs root into a folder. */
export async function runBuildCommand(argument: string, options: BuildCommandOptions, context: CliContext): Promise<ExitCode> {
  const progress = createProgress(context.stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  const root = workspace.toInside(argument)
  const { base, url } = readAddress(options)
  const assets = readSiteAssets()
  const output = resolve(context.workingDirectory, options.output ?? 'site')
  let written = 0
  const write = ({ path, content }: SiteFile) => {
    if (writeIfChanged(join(output, path), content)) written++
  }
  const built = await buildSite({ root, base, url, assets: assets.paths, isPreview: false }, workspace.environment, write)
  for (const file of assets.files) write(file)
  progress.clear()
  const shown = await workspace.show(built.diagnostics)
  await printFindings(context.stdout, { diagnostics: shown.diagnostics, sources: shown.sources }, options, context)
  if (!options.quiet)
    context.stdout.write(`✔ ${formatCount(built.pageCount, 'page')} in ${options.output ?? 'site'}, ${written} files written\n`)
  return shown.diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}

function writeIfChanged(path: string, content: string | Uint8Array): boolean {
  const bytes = Buffer.from(content)
  try {
    if (readFileSync(path).equals(bytes)) return false
  } catch {
    mkdirSync(dirname(path), { recursive: true })
  }
  writeFileSync(path, bytes)
  return true
}

function readAddress({ base, url }: BuildCommandOptions): { base: string; url: string | undefined } {
  if (url !== undefined && !/^https?:/i.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new ConfigError(`cannot use ${url} as --url: expected an address such as https://example.com/docs/`)
  }
  const path = base ?? (url === undefined ? '/' : new URL(url).pathname)
  const withSlashes = `/${path.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/')
  return { base: withSlashes, url: url === undefined ? undefined : new URL(withSlashes, url).href }
}
