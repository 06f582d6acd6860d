import { checkEntryDocument, listNamedDocuments } from '../../docs/check/run-check.ts'
import { listDocsDirectories } from '../../docs/read/find-docs.ts'
import { isOverlayDocument, replacesKey } from '../../openapi/overlays/parse-overlay.ts'
import { ConfigError } from '../../text/errors.ts'
import { readText, valueAtPointer } from '../../text/json/json-values.ts'
import { locatePointers, parseSource } from '../../text/parse-source.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { applyEdits, type SourceFile, type TextEdit, toFileChange, toSourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { formatDiff } from '../print/format-plan.ts'
import { choosePalette, type createProgress } from '../print/terminal.ts'
import { chooseBoundary, openWorkspace, type Workspace } from './workspace.ts'
import { writeChanges } from './write-output.ts'

/** The options of `accept` for an overlay. */
interface OverlayOptions extends Omit<CommonOptions, 'format'> {
  readonly dryRun: boolean
}

/**
 * Records in each action of an overlay what it replaces, as `x-openapi-pages-replaces`. `undefined` if the arguments are two versions of a document.
 *
 * @param document As written by the user. Default: the document that `docs.json` or `extends` names.
 */
export async function acceptOverlay(
  overlay: string,
  document: string | undefined,
  options: OverlayOptions,
  context: CliContext,
  progress: ReturnType<typeof createProgress>,
): Promise<ExitCode | undefined> {
  if (document !== undefined && !/\.(?:ya?ml|json)$/i.test(overlay)) return undefined
  const workspace = openWorkspace(chooseBoundary(overlay, options, context), options, context, progress)
  const path = workspace.toInside(overlay)
  const result = await workspace.access.files.read(path)
  const text = result.kind === 'file' ? toSourceFile(path, result.bytes) : undefined
  const { value } = text ? await parseSource(text) : {}
  if (!isOverlayDocument(value)) {
    if (document !== undefined) return undefined
    throw new ConfigError(`missing the new version to compare ${overlay} with`, {
      hint: 'Name two versions of a document, or an Overlay document',
    })
  }
  const { entry, overlays = [path] } = await findOverlaid(path, document, readText(value, 'extends'), workspace)
  const digests = new Map<string, { readonly digest: string; readonly replaced: string }>()
  const onReplaced: Parameters<typeof checkEntryDocument>[2] = {
    errorsOnly: true,
    overlays,
    onReplaced: ({ file, pointer }, digest, replaced) => file === path && digests.set(pointer, { digest, replaced }),
  }
  const { sources } = await checkEntryDocument(entry, workspace.access, onReplaced)
  const source = sources.get(path)
  if (!source || digests.size === 0) {
    const hint = `Run \`openapi-pages check ${entry} --overlay ${overlay}\` to see why`
    throw new ConfigError(`cannot find what ${overlay} replaces in ${workspace.toShown(entry)}`, { hint })
  }
  const content = await writeDigests(source, digests)
  progress.clear()
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  if (content === source.text) stdout.write(palette.success(`✔ ${escapeText(overlay)} is up to date\n`))
  else {
    const change = toFileChange(path, source.text, content)
    for (const { replaced } of digests.values()) stdout.write(`replaces ${escapeText(replaced)}\n`)
    if (options.dryRun) stdout.write(formatDiff(change, workspace.toShown(path), palette))
    else {
      await writeChanges(workspace.boundary, [change], workspace.toShown)
      stdout.write(palette.success(`✔ Accepted what ${escapeText(overlay)} replaces\n`))
    }
  }
  return 0
}

/** Finds the document of an overlay, and all of its overlays. */
async function findOverlaid(
  path: string,
  document: string | undefined,
  named: string | undefined,
  { access, toInside, toShown }: Workspace,
) {
  if (document !== undefined) return { entry: toInside(document), overlays: [path] }
  for (const root of await listDocsDirectories('', access.files)) {
    const found = (await listNamedDocuments(root, access)).find(({ overlays }) => overlays?.includes(path))
    if (found) return found
  }
  if (named !== undefined) return { entry: isUrl(named) ? toInside(named) : joinPath(parentPath(path), named), overlays: [path] }
  throw new ConfigError(`cannot find the document of ${toShown(path)}`, {
    hint: 'Name it after the overlay, or add `extends` to the overlay',
  })
}

/** Sets the digest of each action: before its `target`, in the layout of the file. */
async function writeDigests(source: SourceFile, digests: ReadonlyMap<string, { readonly digest: string }>): Promise<string> {
  const { text } = source
  const { value } = await parseSource(source)
  const fields = [...digests.keys()].flatMap((action) => [`${action}/target`, `${action}/${replacesKey}`])
  const places = await locatePointers(source, fields)
  const edits = [...digests].flatMap(([action, { digest }]): TextEdit[] => {
    const known = places.get(`${action}/${replacesKey}`)
    const { start = 0 } = places.get(`${action}/target`)?.key ?? {}
    const isQuoted = text[start] === '"'
    const written = isQuoted ? `"${digest}"` : digest
    if (known && valueAtPointer(value, `${action}/${replacesKey}`) !== undefined)
      return [{ offsets: known.value, newText: written }]
    const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
    // In a list of one line, a comma ends the entry.
    const isFlow = /[{,]\s*$/.test(text.slice(0, start))
    const isAlone = /^[\s-]*$/.test(line)
    const end = `${isFlow ? ',' : ''}${isAlone ? `\n${line.replace(/-/g, ' ')}` : ' '}`
    const key = isQuoted ? `"${replacesKey}"` : replacesKey
    return [{ offsets: { start, end: start }, newText: `${key}: ${written}${end}` }]
  })
  return applyEdits(text, edits)
}
