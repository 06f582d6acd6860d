import { dirname, relative, resolve, sep } from 'node:path'
import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-json.ts'
import { ConfigError } from '../../errors.ts'
import { isInside, resolveThroughLinks } from '../../files/boundary.ts'
import { replaceFile, resolveOutput, toFilesError } from '../../files/disk-writes.ts'
import { withoutOutput } from '../../files/files.ts'
import { hashContent } from '../../files/output-folder.ts'
import { createZip } from '../../files/zip.ts'
import { buildSite } from '../../site/build/build-site.ts'
import { offlineBase, toOfflineFiles } from '../../site/build/offline-files.ts'
import { readSiteAssets } from '../../site/build/read-site-assets.ts'
import { toSafeJson } from '../../source/escape-text.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { reportUnreadable, toExitCode } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand, overlayOption } from '../command-options.ts'
import { addFilterOptions, type FilterOptions } from '../documents/filter-document.ts'
import { printDiagnostics } from '../output/print-diagnostics.ts'
import { choosePalette } from '../output/terminal.ts'
import { openSite } from '../site-root.ts'
import { statPath } from '../workspace.ts'
import { formatSize } from './build-command.ts'

interface ExportCommandOptions extends CommonOptions, FilterOptions {
  /** Overlays to apply to the document. */
  readonly overlay: readonly string[]
  readonly output: string
}

/** The options, help and action of `export`. */
export const defineExportCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Writes the site as a zip file for readers without access to the website. Unpacked, its pages open in a browser from the disk, ' +
        'with navigation and search, without a server or a network. They have no playground, show the source of diagrams, and hidden pages are left out.',
    )
    .option('-o, --output <file>', 'zip file to write', 'export.zip')
  command.addOption(overlayOption())
  addFilterOptions(command)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages export                           Write the site of the docs.json, or of the only OpenAPI document, to export.zip
  openapi-pages export docs -o customer-docs.zip
  openapi-pages export openapi.yaml --audience public

Exit codes: 0 success, 1 written with errors or not written because of errors, 2 the command could not run.`,
    )
    .action(async (root: string, options: ExportCommandOptions) => {
      end(await runExportCommand(root, options, context))
    })
}

/** Builds the site of a docs directory or OpenAPI document into a zip file. Replaces the file only after the whole site is built. */
async function runExportCommand(given: string, options: ExportCommandOptions, context: CliContext): Promise<ExitCode> {
  const target = findTarget(options.output, context)
  const opened = await openSite(given, 'export', options, context)
  if (!opened) return 2
  const { source, workspace, progress } = opened
  const { environment } = source
  if (!source.madeFiles) workspace.keepCopies(source.root)
  // An earlier archive is not part of the site.
  const own = isInside(resolve(workspace.boundary), target)
    ? relative(workspace.boundary, target).replaceAll(sep, '/')
    : undefined
  const files = own === undefined ? environment.files : withoutOutput(environment.files, own)
  const { offline } = readSiteAssets()
  const site = {
    ...opened.toOptions(undefined),
    base: offlineBase,
    url: undefined,
    assets: offline.paths,
    isPreview: false,
    isOffline: true,
  }
  const zip = createZip()
  const built = await buildSite(site, { ...environment, files }, (file) => {
    for (const { path, content } of toOfflineFiles(file)) zip.add(path, content)
    return hashContent(file.content)
  })
  let sizeBytes: number | undefined
  if (built.pageCount > 0) {
    for (const { path, content } of offline.files) zip.add(path, content)
    progress.step(`writing ${options.output}`)
    sizeBytes = writeZip(zip, target, options.output)
  }
  progress.clear()
  const shown = await workspace.show(built.diagnostics, built.sourceOf)
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    const { pageCount: pages, operationCount: operations } = built
    const result = {
      version: 1,
      output: options.output,
      written: sizeBytes !== undefined,
      pages,
      operations,
      bytes: sizeBytes ?? 0,
    }
    context.stdout.write(`${toSafeJson({ ...result, diagnostics: shown.diagnostics.map(toDiagnosticJson) })}\n`)
  } else {
    await printDiagnostics(context.stdout, { diagnostics, sources: shown.sources }, options, context)
    if (!options.quiet) {
      const palette = choosePalette(context.stdout, context, options.color)
      const counts = countFindings(diagnostics)
      const pages = formatCount(built.pageCount, 'page')
      if (sizeBytes === undefined)
        context.stdout.write(palette.error(`✖ ${formatCounts(counts)}, ${options.output} not written\n`))
      else {
        const line = `${pages} in ${options.output}: ${formatSize(sizeBytes)}, ${formatCounts(counts)}\n`
        context.stdout.write(counts.errors > 0 ? palette.error(`✖ ${line}`) : palette.success(`✔ ${line}`))
        context.stdout.write('Unpack it and open index.html in a browser\n')
      }
    }
  }
  return toExitCode(shown.diagnostics, { isOpen: sizeBytes === undefined })
}

/** @throws {ConfigError} if the file cannot be an output. */
function findTarget(output: string, { workingDirectory }: CliContext): string {
  const target = resolveThroughLinks(resolveOutput(output, workingDirectory, 'leaving'))
  const hint = 'Name a file with -o, such as export.zip'
  // With another ending, it could be an input.
  if (!/.\.zip$/i.test(output) || statPath(target)?.isDirectory()) {
    throw new ConfigError(`cannot write \`${output}\`: expected the name of a zip file`, { hint })
  }
  if (!statPath(dirname(target))?.isDirectory()) throw new ConfigError(`cannot write ${output}: no such directory`, { hint })
  return target
}

/**
 * @returns The size of the file in bytes.
 * @throws {ConfigError} if the site is too large. @throws {FilesError} if the file cannot be written.
 */
function writeZip(zip: ReturnType<typeof createZip>, target: string, shown: string): number {
  let content: Uint8Array
  try {
    content = zip.finish()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConfigError(`cannot write ${shown}: the site is too large for a zip file (${error.message})`, {
      hint: 'Use `openapi-pages build`, and pack its output with another program',
    })
  }
  try {
    replaceFile(target, content)
  } catch (error) {
    throw toFilesError(error, 'write', shown)
  }
  return content.length
}
