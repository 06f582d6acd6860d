import type { Command } from 'commander'
import { checkDescription, type DescriptionCheck } from '../../checks/check-description.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { checkEntryDocument, type EntryCheck } from '../../docs/check/run-check.ts'
import { type SiteSetting, toReaders } from '../../docs/config/project-config.ts'
import type { CheckTerms, DocsAccess } from '../../docs/types.ts'
import { formatBundle, joinParts } from '../../docs/update/stored-documents.ts'
import { bundleDescription } from '../../openapi/bundle/bundle-description.ts'
import { filterDocument as filterValue } from '../../openapi/public/filter-description.ts'
import type { FilterRules } from '../../openapi/public/restriction-marks.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import { quoteForShell } from '../base/command-line.ts'
import { audienceOption, collect, overlayOption } from '../base/command-options.ts'

/** The options of commands that can change a document before they use it. */
export interface DocumentOptions {
  /** Overlays to apply to the document. */
  readonly overlay: readonly string[]
  /** Who the document is for: an audience of the configuration, `public` or, without audiences, `internal`. */
  readonly audience?: string
  readonly includeTag: readonly string[]
  readonly excludeTag: readonly string[]
}

/** Adds `--overlay`, `--audience`, `--include-tag` and `--exclude-tag`. */
export function addDocumentOptions(command: Command): void {
  command
    .addOption(overlayOption())
    .addOption(audienceOption())
    .option('--include-tag <name>', 'keep only operations with this tag (repeatable)', collect, [])
    .option('--exclude-tag <name>', 'leave out operations with this tag (repeatable)', collect, [])
}

/**
 * The filter of the options; `undefined` if it keeps everything. With audiences, the check of a document leaves out what is not for them.
 *
 * @throws {ConfigError} if the configuration has no such audience.
 */
export function readFilter(
  { audience, includeTag = [], excludeTag = [] }: Partial<DocumentOptions>,
  site: Pick<SiteSetting, 'audiences'>,
): FilterRules | undefined {
  const { hasAudiences } = toReaders(site, { audience })
  const internal = audience === 'public' && !hasAudiences
  const isAll = !internal && includeTag.length === 0 && excludeTag.length === 0
  return isAll ? undefined : { internal, includeTags: includeTag, excludeTags: excludeTag }
}

/**
 * Leaves out what the rules name.
 *
 * @throws {ConfigError} if a name of what is left out cannot be removed.
 */
function filterBundle(document: unknown, rules: FilterRules): unknown {
  const { value, leftovers } = filterValue(document, rules)
  const [left] = leftovers
  if (left) {
    throw new ConfigError(`cannot leave out \`${escapeText(left.name)}\`: its name is still at ${escapeText(left.pointer)}`, {
      hint: 'Use another word there, or leave out that part, too',
    })
  }
  return value
}

/** Joins a description without errors, without what the filter leaves out, and checks the result. Returns `undefined` if it would be infinite. */
export async function bundleDocument(
  read: EntryCheck,
  entry: string,
  { filter, format }: { readonly filter: FilterRules | undefined; readonly format?: 'json' | 'yaml' | undefined },
) {
  const bundle = await bundleDescription(read, read.load)
  if (!bundle) return undefined
  const { left } = bundle
  const document = await joinParts(bundle)
  const syntax = format ?? read.documents.get(entry)?.parsed.syntax ?? 'yaml'
  const text = await formatBundle(filter ? filterBundle(document, filter) : document, syntax)
  const bytes = new TextEncoder().encode(text)
  const check = await checkDescription(entry, async (path) => {
    return path === entry ? { kind: 'loaded', bytes } : { kind: 'failed', code: 'file-missing', reason: 'it is not bundled' }
  })
  const source = toSourceFile(entry, bytes)
  return { left, text, source, description: check.description, errors: await listErrors(check, () => source) }
}

/** The errors of a description, without warnings. */
async function listErrors(
  { findings, sources }: DescriptionCheck,
  sourceOf = (file: string) => sources.get(file),
): Promise<readonly Diagnostic[]> {
  return (await finishDiagnostics(findings, sourceOf)).filter(({ severity }) => severity === 'error')
}

/**
 * Reads a document with its overlays and all files that it references, and returns it as one document without what the filter leaves out.
 * Nothing else of the description is needed to build a site, so that nothing else can be published.
 *
 * @param shown The name of the document in messages.
 * @throws {ConfigError} if the document, or the result, has errors.
 */
export async function filterDocument(
  entry: string,
  shown: string,
  filter: FilterRules,
  access: DocsAccess,
  overlays: CheckTerms['overlays'],
): Promise<Uint8Array> {
  const read = await checkEntryDocument(entry, access, { errorsOnly: true, overlays })
  const bundle = (await listErrors(read)).length === 0 ? await bundleDocument(read, entry, { filter }) : undefined
  if (!bundle) {
    throw new ConfigError(`cannot leave out parts of ${escapeText(shown)}: it has errors`, {
      hint: `Correct the errors that \`openapi-pages check ${quoteForShell(shown)}\` reports`,
    })
  }
  if (bundle.errors.length > 0) {
    throw new ConfigError(`cannot leave out parts of ${escapeText(shown)}: the rest has errors`, {
      hint: 'To see them, run `openapi-pages bundle` with the same options',
    })
  }
  return new TextEncoder().encode(bundle.text)
}
