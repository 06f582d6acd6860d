import { checkEntryDocument, listNamedDocuments } from '../../docs/check/run-check.ts'
import { listDocsDirectories } from '../../docs/read/find-docs.ts'
import { isOverlayDocument, replacesKey } from '../../openapi/overlays/parse-overlay.ts'
import { ConfigError } from '../../text/errors.ts'
import { readText, valueAtPointer } from '../../text/json/json-values.ts'
import { locatePointers, parseSource, syntaxOf } from '../../text/parse-source.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { applyEdits, type SourceFile, toFileChange, toSourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { formatDiff } from '../print/format-plan.ts'
import { choosePalette, type Progress } from '../print/terminal.ts'
import { planField } from './quick-fixes.ts'
import { chooseBoundary, openWorkspace, type Workspace } from './workspace.ts'
import { writeChanges } from './write-output.ts'

/**
 * Records in each action of an overlay what it replaces, as `x-openapi-pages-replaces`. `undefined` if the arguments are two versions of a document.
 *
 * @param document As written by the user. Default: the document that `docs.json` or `extends` names.
 */
export async function acceptOverlay(
  overlay: string,
  document: string | undefined,
  options: Omit<CommonOptions, 'format'> & { readonly dryRun: boolean },
  context: CliContext,
  progress: Progress,
): Promise<ExitCode | undefined> {
  if (document !== undefined && !/\.(?:ya?ml|json)$/i.test(overlay)) return undefined
  const workspace = openWorkspace(chooseBoundary(overlay, options, context), options, context, progress)
  const { access, boundary, toInside, toShown } = workspace
  const path = toInside(overlay)
  const result = await access.files.read(path)
  const source = result.kind === 'file' ? toSourceFile(path, result.bytes) : undefined
  const { value } = source ? await parseSource(source) : {}
  if (!source || !isOverlayDocument(value)) {
    if (document !== undefined) return undefined
    throw new ConfigError(`missing the new version to compare ${overlay} with`, {
      hint: 'Name two versions of a document, or an Overlay document',
    })
  }
  const named = document === undefined ? undefined : { entry: toInside(document), overlays: [path] }
  const { entry, overlays } = named ?? (await findOverlaid(path, readText(value, 'extends'), workspace))
  const digests = new Map<string, string>()
  const shown: string[] = []
  const onReplaced = (action: { readonly file: string; readonly pointer: string }, digest: string, replaced: string) => {
    if (action.file !== path) return
    digests.set(action.pointer, digest)
    shown.push(`replaces ${escapeText(replaced)}\n`)
  }
  await checkEntryDocument(entry, access, { errorsOnly: true, overlays, onReplaced })
  if (digests.size === 0) {
    const hint = `Run \`openapi-pages check ${entry} --overlay ${overlay}\` to see why`
    throw new ConfigError(`cannot find what ${overlay} replaces in ${toShown(entry)}`, { hint })
  }
  const content = await writeDigests(source, value, digests)
  const change = toFileChange(path, source.text, content)
  progress.clear()
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  const isChanged = content !== source.text
  if (isChanged) stdout.write(shown.join(''))
  if (isChanged && options.dryRun) {
    stdout.write(formatDiff(change, toShown(path), palette))
    return 0
  }
  if (isChanged) await writeChanges(boundary, [change], toShown)
  const name = escapeText(overlay)
  stdout.write(palette.success(isChanged ? `✔ Accepted what ${name} replaces\n` : `✔ ${name} is up to date\n`))
  return 0
}

/** Finds the document of an overlay, and all of its overlays: in `docs.json`, else in `extends`. */
async function findOverlaid(path: string, named: string | undefined, { access, toInside, toShown }: Workspace) {
  for (const root of await listDocsDirectories('', access.files)) {
    const found = (await listNamedDocuments(root, access)).find(({ overlays }) => overlays.includes(path))
    if (found) return found
  }
  if (named !== undefined) return { entry: isUrl(named) ? toInside(named) : joinPath(parentPath(path), named), overlays: [path] }
  throw new ConfigError(`cannot find the document of ${toShown(path)}`, {
    hint: 'Name it after the overlay, or add `extends` to the overlay',
  })
}

/** Sets the digests of actions, by their pointers, in the layout of the file. */
async function writeDigests(source: SourceFile, overlay: unknown, digests: ReadonlyMap<string, string>): Promise<string> {
  const places = await locatePointers(
    source,
    [...digests.keys()].flatMap((action) => [action, `${action}/target`, `${action}/${replacesKey}`]),
  )
  const edits = [...digests].map(([action, digest]) => {
    const known = valueAtPointer(overlay, `${action}/${replacesKey}`) === undefined ? undefined : `${action}/${replacesKey}`
    const offsets = known === undefined ? undefined : places.get(known)?.value
    if (offsets) return { offsets, newText: syntaxOf(source) === 'json' ? JSON.stringify(digest) : digest }
    const { start = 0 } = places.get(action)?.value ?? {}
    const isBraced = source.text[start] === '{'
    const edit = planField(replacesKey, digest, isBraced ? start : (places.get(`${action}/target`)?.key?.start ?? start), source)
    if (!edit) throw new ConfigError(`cannot edit the action at ${action}`, { hint: `Add \`${replacesKey}: ${digest}\` to it` })
    return edit
  })
  return applyEdits(source.text, edits)
}
