import { dirname, join, relative, resolve, sep } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { formatJson } from '../../diagnostics/format-text.ts'
import { checkEntryDocument } from '../../docs/check/run-check.ts'
import type { OpenApiFilePlan } from '../../docs/pages/plan-openapi-file.ts'
import { createLocator, isInside, resolveThroughLinks, toUserPath, type UserPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { resolveOutput } from '../../files/disk-writes.ts'
import { FilesError } from '../../text/errors.ts'
import { toSafeJson } from '../../text/plain/escape-text.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { isUnreadable, reportUnreadable } from '../base/command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { chooseBoundary, openWorkspace } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { choosePalette, createProgress, printDiagnostics } from '../print/terminal.ts'

interface OpenApiFileCommandOptions extends CommonOptions {
  readonly outDir?: string
  readonly writeFiles: boolean
  readonly overwrite: boolean
  /** Also generate one page per schema. */
  readonly schemas: boolean
}

/** The options of `openapi-file`. */
export const defineOpenApiFileCommand: DefineCommand = (command) => {
  command
    .option('-o, --outDir <directory>', 'directory for the pages (default: the working directory)')
    .option('-w, --writeFiles', 'write the pages (default)', true)
    .option('--no-writeFiles', 'only print the navigation entries')
    .option('--overwrite', 'replace existing pages', false)
    .option('--schemas', 'also generate one page per schema in components', false)
  addCommonOptions(command, ['text', 'json'])
  return runOpenApiFileCommand
}

/**
 * Generates one page per operation of a document and prints the navigation entries.
 *
 * Scripts parse the output of the Mintlify command that this one replaces: stdout must be one empty line followed by the array.
 */
async function runOpenApiFileCommand(source: string, options: OpenApiFileCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stdout, stderr } = context
  const progress = createProgress(stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(source, options, context), options, context, progress)
  const entry = workspace.toInside(source)
  progress.step(`checking ${source}`)
  const check = await checkEntryDocument(entry, workspace.access, { overlays: workspace.terms.overlays })
  const folder = resolve(context.workingDirectory, options.outDir ?? '')
  const outDir = relative(context.workingDirectory, folder).replaceAll(sep, '/')
  // Loads the writer of YAML.
  const { planOpenApiFile } = await import('../../docs/pages/plan-openapi-file.ts')
  const plan = check.description && planOpenApiFile(check.description, { outDir, schemas: options.schemas })
  const findings = [...check.findings, ...(plan?.findings ?? [])]
  const shown = await workspace.show(await finishDiagnostics(findings, (file) => check.sources.get(file)), (file) =>
    check.sources.get(file),
  )
  progress.clear()
  const inDocuments = reportUnreadable(shown.diagnostics, stderr)
  if (options.format === 'json') stderr.write(formatJson(shown.diagnostics))
  else await printDiagnostics(stderr, { diagnostics: inDocuments, sources: shown.sources }, options, context)
  if (shown.diagnostics.some(isUnreadable)) return 2
  const palette = choosePalette(stderr, context, options.color)
  const log = (line: string) => {
    if (!options.quiet && options.format === 'text') stderr.write(`${line}\n`)
  }
  const errors = shown.diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0 || !plan) {
    log(palette.error(`✖ ${formatCount(errors, 'error')}, no pages written`))
    return 1
  }
  if (options.writeFiles) log(palette.success(`✔ ${await writePages(plan, outDir, options, context)}`))
  stdout.write(`\n${toSafeJson(plan.navigation)}\n`)
  return 0
}

/** Writes missing pages, or all with `--overwrite`. Returns a summary. */
async function writePages(
  plan: OpenApiFilePlan,
  outDir: string,
  { overwrite }: OpenApiFileCommandOptions,
  { workingDirectory }: CliContext,
): Promise<string> {
  const shownFrom = resolveThroughLinks(workingDirectory)
  const target = resolveThroughLinks(resolveOutput(outDir, workingDirectory, 'leaving'))
  const root = writableRoot(shownFrom, target)
  // Names of pages come from the document, and the folder around both can be that of all files.
  const writable = [shownFrom, target].map((folder) => relative(root, folder))
  const locate = createLocator(root, writable)
  const disk = openDiskFiles(root)
  const changes: FileChange[] = []
  let same = 0
  let keptCount = 0
  for (const { path, content } of plan.files) {
    const inside = relative(root, resolve(shownFrom, path)).replaceAll(sep, '/')
    const located = locate(inside, 'target')
    if (located.kind !== 'inside') resolveOutput(path, workingDirectory, 'leaving')
    const existing = await disk.read(inside)
    if (existing.kind === 'missing') changes.push({ kind: 'add', path: inside, content })
    else if (existing.kind === 'file') {
      const before = Buffer.from(existing.bytes).toString('utf8')
      if (before === content) same++
      else if (overwrite) changes.push({ kind: 'modify', path: inside, before, content })
      else keptCount++
    } else
      throw new FilesError(
        `cannot write ${path}: ${existing.kind === 'folder' ? 'a directory with this name exists' : 'it is not a writable file'}`,
        { path },
      )
  }
  const toShown = (path: string) => relative(shownFrom, join(root, path)).replaceAll(sep, '/') || '.'
  await writeChanges(root, changes, toShown, ...writable)
  const { toOutFolder } = await import('../../docs/pages/plan-openapi-file.ts')
  const folder = outDir === '' ? '' : ` to ${toOutFolder(outDir)}`
  if (plan.files.length === 0)
    return 'Nothing to write: the document has no operations, webhooks or schemas to generate pages for'
  const parts = [changes.length === 0 ? 'Nothing to write' : `${formatCount(changes.length, 'page')} written${folder}`]
  if (same > 0) parts.push(`${formatCount(same, 'page')} unchanged`)
  if (keptCount > 0)
    parts.push(`${formatCount(keptCount, 'page')} kept (use --overwrite to replace ${keptCount === 1 ? 'it' : 'them'})`)
  return parts.join(', ')
}

/**
 * Returns the working directory, or the nearest common parent if `--outDir` is outside of it. Pages with an `href` ignore `--outDir` and go
 * below the working directory.
 */
function writableRoot(workingDirectory: string, outDir: string): UserPath {
  let root = workingDirectory
  while (!isInside(root, outDir) && dirname(root) !== root) root = dirname(root)
  return toUserPath(root)
}
