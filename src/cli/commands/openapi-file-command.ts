import { join, relative, resolve, sep } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { formatJson } from '../../diagnostics/format-json.ts'
import { FilesError } from '../../errors.ts'
import { createFolderFinder, isInside, resolveThroughLinks } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { type OpenApiFilePlan, planOpenApiFile, toOutFolder } from '../../pages/plan-openapi-file.ts'
import { toSafeJson } from '../../source/escape-text.ts'
import type { FileChange } from '../../source/file-change.ts'
import { checkEntryDocument } from '../../update/run-check.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { isUnreadable, reportUnreadable } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace, rejectFolder } from '../workspace.ts'
import { writeChanges } from '../write-output.ts'

interface OpenApiFileCommandOptions extends CommonOptions {
  readonly outDir?: string
  readonly writeFiles: boolean
  readonly overwrite: boolean
  /** One page per schema too. */
  readonly schemas: boolean
}

/** The options, help and action of `openapi-file`. */
export const defineOpenApiFileCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Writes one page per operation and webhook of a document into the working directory or a folder. ' +
        'Prints the navigation entries for docs.json as JSON. An invalid document writes nothing.',
    )
    .option('-o, --outDir <folder>', 'folder for the pages')
    .option('-w, --writeFiles', 'write the pages (default)', true)
    .option('--no-writeFiles', 'write nothing, only print the navigation')
    .option('--overwrite', 'replace pages that are there already', false)
    .option('--schemas', 'write one page per schema of components too', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages openapi-file openapi.yaml -o api-reference
  openapi-pages openapi-file https://example.com/openapi.json -o api-reference --overwrite
  openapi-pages openapi-file openapi.yaml --no-writeFiles | jq '.[].group'`,
    )
    .action(async (source: string, options: OpenApiFileCommandOptions) => {
      end(await runOpenApiFileCommand(source, options, context))
    })
}

/**
 * Writes one page per operation of a document and prints the navigation entries for them.
 *
 * Takes the place of a command that others' scripts read: stdout is one empty line, then the array, and nothing else. An invalid
 * document writes and prints nothing.
 */
async function runOpenApiFileCommand(source: string, options: OpenApiFileCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stdout, stderr } = context
  const progress = createProgress(stderr, options.quiet)
  rejectFolder(source, context)
  const workspace = openWorkspace(chooseBoundary(source, options, context), options, context, progress)
  const entry = workspace.toInside(source)
  progress.step(`checking ${source}`)
  const check = await checkEntryDocument(entry, workspace.environment)
  const outDir = toOutDir(options.outDir, context)
  const plan = check.description && (await planOpenApiFile(check.description, { outDir, schemas: options.schemas }))
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
  const say = (words: string) => {
    if (!options.quiet && options.format === 'text') stderr.write(`${words}\n`)
  }
  const errors = shown.diagnostics.filter(({ severity }) => severity === 'error').length
  if (errors > 0 || !plan) {
    say(palette.error(`✖ ${formatCount(errors, 'error')}: no pages are written`))
    return 1
  }
  if (options.writeFiles) say(palette.success(`✔ ${await writePages(plan, outDir, options, context)}`))
  stdout.write(`\n${toSafeJson(plan.navigation)}\n`)
  return 0
}

/** The folder for pages, relative to the working directory with `/`. */
function toOutDir(folder: string | undefined, { workingDirectory }: CliContext): string {
  if (folder === undefined) return ''
  return relative(workingDirectory, resolve(workingDirectory, folder)).replaceAll(sep, '/')
}

/** Writes the pages that are not there yet, or all with `--overwrite`, and says what was done. */
async function writePages(
  plan: OpenApiFilePlan,
  outDir: string,
  { overwrite }: OpenApiFileCommandOptions,
  { workingDirectory }: CliContext,
): Promise<string> {
  const root = writableRoot(workingDirectory, outDir)
  const disk = openDiskFiles(root)
  const changes: FileChange[] = []
  let same = 0
  let kept = 0
  const placePage = createPathResolver(workingDirectory, root)
  for (const { path, content } of plan.files) {
    const { inside, isFolderNew } = placePage(path)
    if (isFolderNew) {
      changes.push({ kind: 'add', path: inside, content })
      continue
    }
    const existing = await disk.read(inside)
    if (existing.kind === 'missing') changes.push({ kind: 'add', path: inside, content })
    else if (existing.kind === 'file') {
      const before = Buffer.from(existing.bytes).toString('utf8')
      if (before === content) same++
      else if (overwrite) changes.push({ kind: 'modify', path: inside, before, content })
      else kept++
    } else
      throw new FilesError(
        `cannot write ${path}: ${existing.kind === 'folder' ? 'there is a folder of that name' : 'it cannot be written to'}`,
        { path },
      )
  }
  const shownFrom = resolveThroughLinks(workingDirectory)
  await writeChanges(root, changes, (path) => relative(shownFrom, join(root, path)).replaceAll(sep, '/') || '.')
  const folder = outDir === '' ? '' : ` to ${toOutFolder(outDir)}`
  if (plan.files.length === 0) return 'nothing to write: the document has no operation, webhook or schema that gets a page'
  const parts = [changes.length === 0 ? 'nothing to write' : `${formatCount(changes.length, 'page')} written${folder}`]
  if (same > 0) parts.push(`${formatCount(same, 'page')} unchanged`)
  if (kept > 0) parts.push(`${formatCount(kept, 'page')} kept (--overwrite replaces them)`)
  return parts.join(', ')
}

/** Makes a function that says where a page goes, relative to the root, and whether its folder is there. Asks once for each folder. */
function createPathResolver(workingDirectory: string, root: string) {
  const findFolder = createFolderFinder(root)
  const folders = new Map<string, { readonly prefix: string; readonly isNew: boolean }>()
  const look = (folder: string) => {
    const place = resolve(workingDirectory, folder)
    const prefix = relative(root, place).replaceAll(sep, '/')
    return { prefix: prefix === '' ? '' : `${prefix}/`, isNew: findFolder(place).firstMissing !== undefined }
  }
  return (path: string) => {
    const end = path.lastIndexOf('/') + 1
    const folder = folders.get(path.slice(0, end)) ?? look(path.slice(0, end))
    folders.set(path.slice(0, end), folder)
    return { inside: folder.prefix + path.slice(end), isFolderNew: folder.isNew }
  }
}

/** The working directory; where `--outDir` is outside, the nearest folder above both, as pages with an `href` ignore `--outDir`. */
function writableRoot(workingDirectory: string, outDir: string): string {
  const target = resolveThroughLinks(resolve(workingDirectory, outDir))
  let root = resolveThroughLinks(workingDirectory)
  while (!isInside(root, target) && resolve(root, '..') !== root) root = resolve(root, '..')
  return root
}
