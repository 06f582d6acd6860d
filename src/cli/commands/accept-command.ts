import { type AcceptedChange, acceptedFields, type Change, changeCodes, isChangeCode } from '../../changes/change.ts'
import { formatOperation, shortFingerprint } from '../../changes/show/changes-text.ts'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { planAcceptedFile, toAcceptedChanges } from '../../docs/versions/accept-changes.ts'
import { findGit, openGit, readGit } from '../../git/git.ts'
import { ask, ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { groupBy } from '../../text/plain/lists.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { suggest } from '../../text/plain/suggest.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { formatError } from '../base/command-errors.ts'
import { addReadOptions, type CommonOptions, collect, type DefineCommand } from '../base/command-options.ts'
import { addComparisonOptions, type ComparisonOptions } from '../base/comparison-options.ts'
import { type ComparedVersions, compareNamed, type NamedComparison } from '../open/compare-named.ts'
import { writeChanges } from '../open/write-output.ts'
import { formatDiff } from '../print/format-plan.ts'
import { choosePalette, createProgress } from '../print/terminal.ts'

interface AcceptCommandOptions extends Omit<CommonOptions, 'format'>, ComparisonOptions {
  /** Accept all breaking changes. */
  readonly all: boolean
  readonly code: readonly string[]
  /** Fingerprints or their beginnings. */
  readonly fingerprint: readonly string[]
  readonly reason?: string
  readonly author?: string
  /** Remove the entries of the compared documents that match no change. */
  readonly prune: boolean
  readonly dryRun: boolean
}

/** The options of `accept`. */
export const defineAcceptCommand: DefineCommand = (command) => {
  command
    .option(
      '--fingerprint <hex>',
      'accept the change with this fingerprint, or a unique beginning of it (repeatable)',
      collect,
      [],
    )
    .option('--code <code>', 'accept all breaking and risky changes with this code (repeatable)', collect, [])
    .option('--all', 'accept all breaking changes', false)
    .option('--reason <text>', 'why the changes are acceptable')
    .option('--author <name>', 'who accepts them (default: `user.name` of git)')
    .option('--prune', 'remove the entries of the compared documents that match no change', false)
    .option('--dry-run', 'print what would change, without writing', false)
  addComparisonOptions(command)
  addReadOptions(command)
  return runAcceptCommand
}

/** A change with its document. */
interface Candidate {
  readonly change: Change
  readonly document: NamedComparison
}

/** Compares two versions and adds entries for the selected changes, or records what an overlay replaces. */
async function runAcceptCommand(
  base: string,
  revision: string | undefined,
  options: AcceptCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  for (const code of options.code) rejectUnknownCode(code)
  if (options.prune) rejectFilter(options)
  const progress = createProgress(context.stderr, options.quiet)
  const { acceptOverlay } = await import('../open/accept-overlay.ts')
  const exitCode = await acceptOverlay(base, revision, options, context, progress)
  if (exitCode !== undefined || revision === undefined) return exitCode ?? 2
  const open = { ...options, shownFrom: context.workingDirectory, acceptedIn: 'disk' } as const
  const compared = await compareNamed({ base, revision }, open, context, progress)
  if (!compared?.documents.every(({ comparison }) => comparison)) return 2
  const found = compared.documents.flatMap((document) =>
    (document.comparison?.changes ?? []).map((change): Candidate => ({ change, document })),
  )
  const candidates = found.filter(({ change }) => change.level !== 'compatible' && !change.accepted)
  const isSelecting = options.all || options.code.length > 0 || options.fingerprint.length > 0
  if (!isSelecting && !options.prune) return listCandidates(candidates, compared, options, context)
  const selected = select(
    found.map(({ change }) => change),
    options,
  )
  const fresh = candidates.filter(({ change }) => selected.has(change))
  const authorship = fresh.length === 0 ? undefined : await readAuthorship(options, compared)
  const edits = await planEdits(compared, fresh, authorship, options)
  if (edits.length === 0) {
    if (!options.quiet) context.stdout.write(describeNothing(selected.size, isSelecting, options, context))
    return 0
  }
  await print(edits, fresh, compared, options, context)
  return 0
}

function rejectUnknownCode(code: string): void {
  if (isChangeCode(code)) return
  const near = suggest(code, Object.keys(changeCodes))
  const hint = near === undefined ? 'See docs/change-codes.md for all codes.' : `Did you mean \`--code ${near}\`?`
  throw new ConfigError(`unknown code \`${code}\` for --code`, { hint })
}

/** An entry can match a change that the filter leaves out. */
function rejectFilter({ path, matchPath, tag }: ComparisonOptions): void {
  const name = path.length > 0 ? '--path' : matchPath ? '--match-path' : tag.length > 0 ? '--tag' : undefined
  if (name === undefined) return
  const hint = `Leave out ${name}: entries for other operations would be removed too.`
  throw new ConfigError(`unexpected ${name} with --prune`, { hint })
}

/** Without a selection, the command cannot know what to accept. */
function listCandidates(
  candidates: readonly Candidate[],
  compared: ComparedVersions,
  options: AcceptCommandOptions,
  context: CliContext,
): ExitCode {
  const { stdout, stderr } = context
  if (candidates.length === 0) {
    stdout.write(choosePalette(stdout, context, options.color).success('✔ No changes to accept\n'))
    return 0
  }
  for (const one of candidates) stdout.write(`${formatCandidate(one, compared, options, context)}\n`)
  const example = `Add for example \`--fingerprint ${shorten(candidates[0]?.change)} --reason '…'\`.`
  stderr.write(formatError('name the changes to accept, with --fingerprint, --code or --all', example))
  return 1
}

function formatCandidate(
  { change, document }: Candidate,
  { isDirectory }: ComparedVersions,
  options: AcceptCommandOptions,
  context: CliContext,
): string {
  const palette = choosePalette(context.stdout, context, options.color)
  const mark = change.level === 'breaking' ? palette.error : palette.warning
  const place = isDirectory ? palette.dim(` ${escapeText(document.document)}`) : ''
  return [
    `${mark(change.level)} ${palette.dim(`${change.code} ${shorten(change)}`)}${place}`,
    `  ${nameOwner(change)}: ${escapeText(change.message)}\n`,
  ].join('\n')
}

function shorten(change: Change | undefined): string {
  return (change?.fingerprint ?? '').slice(0, shortFingerprint)
}

function nameOwner({ method, path, operations }: Change): string {
  if (method !== null && path !== null) return escapeText(formatOperation({ method, path }))
  return operations.length === 0 ? 'Document' : `Shared by ${formatCount(operations.length, 'operation')}`
}

/** The selected changes, with those that are accepted already. */
function select(changes: readonly Change[], { all, code, fingerprint }: AcceptCommandOptions): ReadonlySet<Change> {
  const selectable = changes.filter(({ level }) => level !== 'compatible')
  const selected = new Set(all ? selectable.filter(({ level }) => level === 'breaking') : [])
  for (const one of code) {
    const found = selectable.filter((change) => change.code === one)
    if (found.length === 0) throw new ConfigError(`no breaking or risky change has the code \`${one}\``, { hint: howToList })
    for (const change of found) selected.add(change)
  }
  for (const one of fingerprint) {
    const found = selectable.filter((change) => one !== '' && change.fingerprint.startsWith(one.toLowerCase()))
    if (found.length === 0) {
      const isCompatible = changes.some((change) => one !== '' && change.fingerprint.startsWith(one.toLowerCase()))
      const reason = isCompatible ? 'is compatible and needs no acceptance' : 'does not exist'
      throw new ConfigError(`the change \`${one}\` ${reason}`, { hint: howToList })
    }
    if (new Set(found.map((change) => change.fingerprint)).size > 1) {
      throw new ConfigError(`${found.length} changes have a fingerprint that begins with \`${one}\``, { hint: 'Use more digits' })
    }
    for (const change of found) selected.add(change)
  }
  return selected
}

const howToList = 'Without --fingerprint, --code and --all, the command lists the changes that can be accepted.'

async function readAuthorship({ reason, author }: AcceptCommandOptions, { named }: ComparedVersions): Promise<Authorship> {
  const given = toText('--reason', reason, acceptedFields.reason)
  if (given === undefined) {
    throw new ConfigError('missing --reason', {
      hint: "Say why the changes are acceptable, for example `--reason 'The last client moved'`.",
    })
  }
  const name = toText(
    '--author',
    author ?? (await findGit(openGit(named.revision.workspace.boundary), 'read your name', ['config', 'user.name'])),
    acceptedFields.author,
  )
  if (name !== undefined) return { reason: given, author: name }
  throw new ConfigError('cannot find your name in the git configuration', {
    hint: 'Add `--author <name>`, or set `user.name` in git.',
  })
}

function toText(name: string, value: string | undefined, most: number): string | undefined {
  const text = value?.trim() ?? ''
  if (text.length > most) throw new ConfigError(`the value of ${name} has ${text.length} characters, expected at most ${most}`)
  return text === '' ? undefined : text
}

type Authorship = Pick<AcceptedChange, 'reason' | 'author'>

/** An edit of a file with accepted changes. */
interface Edit {
  readonly change: FileChange
  /** The number of entries that are added. */
  readonly addedCount: number
  readonly removed: readonly AcceptedChange[]
}

/** Plans one edit for each docs directory with changes. @throws {ConfigError} if a file cannot be edited. */
async function planEdits(
  { documents, named }: ComparedVersions,
  fresh: readonly Candidate[],
  authorship: Authorship | undefined,
  { prune }: AcceptCommandOptions,
): Promise<readonly Edit[]> {
  const date = new Date().toISOString().slice(0, 10)
  const edits: Edit[] = []
  for (const [path, own] of groupBy(documents, ({ accepted }) => accepted.path)) {
    const accepted = own[0]?.accepted
    if (!accepted) continue
    const add = own.flatMap((document) => {
      const changes = fresh.filter((one) => one.document === document).map(({ change }) => change)
      return authorship ? toAcceptedChanges(changes, { ...authorship, date, document: document.acceptedDocument }) : []
    })
    const remove = new Set(prune ? own.flatMap(findUnused) : [])
    if (add.length === 0 && remove.size === 0) continue
    const planned = await planAcceptedFile(accepted, { add, remove })
    if (planned.kind === 'refused') {
      throw new ConfigError(`cannot edit ${named.revision.toShown(path)}: ${planned.reason}`, { hint: planned.hint })
    }
    edits.push({
      change: planned.change,
      addedCount: add.length,
      removed: accepted.entries.filter((_, index) => remove.has(index)),
    })
  }
  return edits
}

/** The indexes of the entries for a document that match no change. */
function findUnused({ comparison, accepted, acceptedDocument }: NamedComparison): number[] {
  const known = new Set(comparison?.changes.map(({ fingerprint, code }) => `${fingerprint} ${code}`))
  return accepted.entries.flatMap(({ fingerprint, code, document }, index) =>
    document === acceptedDocument && !known.has(`${fingerprint} ${code}`) ? [index] : [],
  )
}

/** Writes the files, except in a dry run, and prints what was done. */
async function print(
  edits: readonly Edit[],
  fresh: readonly Candidate[],
  compared: ComparedVersions,
  options: AcceptCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  const { toShown, workspace } = compared.named.revision
  const changes = edits.map(({ change }) => change)
  if (options.dryRun) {
    for (const change of changes) {
      stdout.write(formatDiff(change, toShown(change.path), palette))
      if (!options.quiet) stdout.write(`\nDry run: ${escapeText(toShown(change.path))} was not changed\n`)
    }
    return
  }
  const undo = await Promise.all(changes.map((change) => describeUndo(change, compared)))
  await writeChanges(workspace.boundary, changes, toShown)
  if (options.quiet) return
  for (const one of fresh) stdout.write(`${formatCandidate(one, compared, options, context)}\n`)
  for (const { code, fingerprint, message } of edits.flatMap(({ removed }) => removed)) {
    const facts = palette.dim(`${escapeText(code)} ${fingerprint.slice(0, shortFingerprint)}`)
    stdout.write(`removed ${facts}\n  ${escapeText(message)}\n\n`)
  }
  for (const [index, { change, addedCount, removed }] of edits.entries()) {
    const done = [
      ...(addedCount > 0 ? [`Accepted ${formatCount(addedCount, 'change')}`] : []),
      ...(removed.length > 0
        ? [`${addedCount > 0 ? 'removed' : 'Removed'} ${formatCount(removed.length, 'entry', 'entries')}`]
        : []),
    ]
    stdout.write(palette.success(`✔ ${done.join(' and ')} in ${escapeText(toShown(change.path))}\n`))
    stdout.write(`  To undo, ${undo[index]}.\n`)
  }
  const files = edits.length === 1 ? 'the file' : 'the files'
  stdout.write(`  Commit ${files} with the change of the API, so that both are reviewed.\n`)
}

/**
 * How to undo an edit, before it is written. Git can restore only what is committed, and would also undo earlier edits that are not.
 */
async function describeUndo({ kind, path }: FileChange, { named: { revision } }: ComparedVersions): Promise<string> {
  const file = escapeText(revision.toShown(path))
  if (kind === 'add') return `delete ${file}`
  const git = openGit(revision.workspace.boundary)
  const args = ['status', '--porcelain', '--ignored', '-z', '--', `:(literal)${path}`]
  const status = await ask(() => readGit(git, 'read the changes', args))
  return status.kind === 'known' && status.value === ''
    ? `run \`git checkout -- ${file}\``
    : `edit ${file} (git has no copy from before this command)`
}

function describeNothing(count: number, isSelecting: boolean, options: AcceptCommandOptions, context: CliContext): string {
  const text = !isSelecting
    ? 'All entries match a change'
    : count === 0
      ? 'No breaking changes to accept'
      : `${count === 1 ? 'The change is' : `All ${count} changes are`} already accepted`
  return choosePalette(context.stdout, context, options.color).success(`✔ ${text}\n`)
}
