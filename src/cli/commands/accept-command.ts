import { formatCount, formatNumber } from '../../diagnostics/diagnostic.ts'
import { ConfigError } from '../../errors.ts'
import { type AcceptedChange, acceptedFields } from '../../openapi/changes/accepted-changes.ts'
import { changeCodes, isChangeCode } from '../../openapi/changes/change-codes.ts'
import { formatOperation, shortFingerprint } from '../../openapi/changes/changes-text.ts'
import type { Change } from '../../openapi/changes/types.ts'
import { escapeText } from '../../source/escape-text.ts'
import type { FileChange } from '../../source/file-change.ts'
import { suggest } from '../../source/suggest.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { formatError } from '../command-errors.ts'
import { addReadOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { type ComparedVersions, compareNamed } from '../compare-named.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { writeChanges } from '../write-output.ts'

interface AcceptCommandOptions extends Omit<CommonOptions, 'format'> {
  /** Accept all breaking changes. */
  readonly all: boolean
  readonly code: readonly string[]
  /** Fingerprints or their beginnings. */
  readonly fingerprint: readonly string[]
  readonly reason?: string
  readonly author?: string
  /** Remove the entries of the document that match no change. */
  readonly prune: boolean
  readonly dryRun: boolean
}

/** The options, help and action of `accept`. */
export const defineAcceptCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Records that the team accepts breaking or risky changes between two versions of an API description. Accepted changes stay listed, but ' +
        'do not fail checks. The entries are in openapi-pages.accepted.yaml, so that they are reviewed like code.',
    )
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
    .option('--prune', 'remove the entries of this document that match no change', false)
    .option('--dry-run', 'print what would change, without writing', false)
  addReadOptions(command)
  command
    .addHelpText(
      'after',
      `
Without --fingerprint, --code, --all and --prune, the command lists the changes that can be accepted.

Examples:
  openapi-pages accept main:openapi.yaml openapi.yaml
  openapi-pages accept main:openapi.yaml openapi.yaml --fingerprint 146f9484 --reason 'The last client moved in March'
  openapi-pages accept main:openapi.yaml openapi.yaml --code enum-value-removed --reason 'The values were never used'
  openapi-pages accept main:openapi.yaml openapi.yaml --all --reason 'Version 2' --dry-run
  openapi-pages accept v1.0.0:openapi.yaml openapi.yaml --prune`,
    )
    .action(async (base: string, revision: string, options: AcceptCommandOptions) => {
      end(await runAcceptCommand({ base, revision }, options, context))
    })
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** Compares two descriptions and adds entries for the selected changes. */
async function runAcceptCommand(
  names: { readonly base: string; readonly revision: string },
  options: AcceptCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  for (const code of options.code) rejectUnknownCode(code)
  const progress = createProgress(context.stderr, options.quiet)
  const open = { ...options, shownFrom: context.workingDirectory, acceptedIn: 'disk' } as const
  const compared = await compareNamed(names, open, context, progress)
  if (!compared) return 2
  const { changes } = compared.comparison
  const candidates = changes.filter(({ level, accepted }) => level !== 'compatible' && !accepted)
  const isSelecting = options.all || options.code.length > 0 || options.fingerprint.length > 0
  if (!isSelecting && !options.prune) return listCandidates(candidates, options, context)
  const selected = select(changes, options)
  const fresh = candidates.filter((change) => selected.has(change))
  const remove = new Set(options.prune ? findUnused(compared) : [])
  const add = fresh.length === 0 ? [] : await createEntries(fresh, compared, options)
  if (add.length === 0 && remove.size === 0) {
    if (!options.quiet) context.stdout.write(describeNothing(selected.size, isSelecting, options, context))
    return 0
  }
  const change = await planEdit(compared, { add, remove })
  await print({ fresh, remove, change }, compared, options, context)
  return 0
}

function rejectUnknownCode(code: string): void {
  if (isChangeCode(code)) return
  const near = suggest(code, Object.keys(changeCodes))
  const hint = near === undefined ? 'See docs/change-codes.md for all codes.' : `Did you mean \`--code ${near}\`?`
  throw new ConfigError(`unknown code \`${code}\` for --code`, { hint })
}

/** Without a selection, the command cannot know what to accept. */
function listCandidates(candidates: readonly Change[], options: AcceptCommandOptions, context: CliContext): ExitCode {
  const { stdout, stderr } = context
  if (candidates.length === 0) {
    stdout.write(choosePalette(stdout, context, options.color).success('✔ No changes to accept\n'))
    return 0
  }
  for (const change of candidates) stdout.write(`${formatCandidate(change, options, context)}\n`)
  const example = `Add for example \`--fingerprint ${shorten(candidates[0])} --reason '…'\`.`
  stderr.write(formatError('name the changes to accept, with --fingerprint, --code or --all', example))
  return 2
}

function formatCandidate(change: Change, options: AcceptCommandOptions, context: CliContext): string {
  const palette = choosePalette(context.stdout, context, options.color)
  const mark = change.level === 'breaking' ? palette.error : palette.warning
  return [
    `${mark(change.level)} ${palette.dim(`${change.code} ${shorten(change)}`)}`,
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

/** The indexes of the entries for this document that match no change. */
function findUnused({ comparison, accepted, acceptedDocument }: ComparedVersions): number[] {
  const known = new Set(comparison.changes.map(({ fingerprint, code }) => `${fingerprint} ${code}`))
  return accepted.entries.flatMap(({ fingerprint, code, document }, index) =>
    document === acceptedDocument && !known.has(`${fingerprint} ${code}`) ? [index] : [],
  )
}

async function createEntries(
  changes: readonly Change[],
  compared: ComparedVersions,
  options: AcceptCommandOptions,
): Promise<readonly AcceptedChange[]> {
  const authorship = await readAuthorship(options, compared)
  const { toAcceptedChanges } = await import('../../docs-config/edit-accepted-changes.ts')
  const date = new Date().toISOString().slice(0, 10)
  return toAcceptedChanges(changes, { ...authorship, document: compared.acceptedDocument, date })
}

async function readAuthorship(
  { reason, author }: AcceptCommandOptions,
  { revision }: ComparedVersions,
): Promise<Pick<AcceptedChange, 'reason' | 'author'>> {
  const given = toText('--reason', reason, acceptedFields.reason)
  if (given === undefined) {
    throw new ConfigError('missing --reason', {
      hint: "Say why the changes are acceptable, for example `--reason 'The last client moved'`.",
    })
  }
  const name = toText('--author', author ?? (await readGitName(revision)), acceptedFields.author)
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

async function readGitName({ named }: ComparedVersions['revision']): Promise<string> {
  const { openGit } = await import('../../git/git.ts')
  return (await openGit(named.workspace.boundary).run(['config', 'user.name'])).stdout
}

/** @throws {ConfigError} if the file cannot be edited. */
async function planEdit(
  { accepted, revision }: ComparedVersions,
  edits: { readonly add: readonly AcceptedChange[]; readonly remove: ReadonlySet<number> },
): Promise<FileChange> {
  const { planAcceptedFile } = await import('../../update/plan-accepted-file.ts')
  const planned = await planAcceptedFile(accepted, edits)
  if (planned.kind === 'planned') return planned.change
  const hint = planned.hint === undefined ? {} : { hint: planned.hint }
  throw new ConfigError(`cannot edit ${revision.named.toShown(accepted.path)}: ${planned.reason}`, hint)
}

/** Writes the file, except in a dry run, and prints what was done. */
async function print(
  {
    fresh,
    remove,
    change,
  }: { readonly fresh: readonly Change[]; readonly remove: ReadonlySet<number>; readonly change: FileChange },
  { accepted, revision: { named } }: ComparedVersions,
  options: AcceptCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  const file = escapeText(named.toShown(change.path))
  if (options.dryRun) {
    const { formatDiff } = await import('../format-plan.ts')
    stdout.write(formatDiff(change, named.toShown(change.path), palette))
    if (!options.quiet) stdout.write(`\nDry run: ${file} was not changed\n`)
    return
  }
  await writeChanges(named.workspace.boundary, [change], named.toShown)
  if (options.quiet) return
  for (const one of fresh) stdout.write(`${formatCandidate(one, options, context)}\n`)
  for (const index of remove) {
    const entry = accepted.entries[index]
    if (entry)
      stdout.write(
        `removed ${palette.dim(`${escapeText(entry.code)} ${entry.fingerprint.slice(0, shortFingerprint)}`)}\n  ${escapeText(entry.message)}\n\n`,
      )
  }
  const done = [
    ...(fresh.length > 0 ? [`Accepted ${formatCount(fresh.length, 'change')}`] : []),
    ...(remove.size > 0
      ? [`${fresh.length > 0 ? 'removed' : 'Removed'} ${remove.size === 1 ? '1 entry' : `${formatNumber(remove.size)} entries`}`]
      : []),
  ]
  stdout.write(palette.success(`✔ ${done.join(' and ')} in ${file}\n`))
  stdout.write('  Commit the file with the change of the API, so that both are reviewed.\n')
  const undo = change.kind === 'add' ? 'delete the file' : `run \`git checkout -- ${file}\``
  const isPartial = fresh.length > (change.kind === 'add' ? 1 : 0)
  stdout.write(`  To undo, ${undo}${isPartial ? ', or remove single entries' : ''}.\n`)
}

function describeNothing(count: number, isSelecting: boolean, options: AcceptCommandOptions, context: CliContext): string {
  const text = !isSelecting
    ? 'All entries match a change'
    : count === 0
      ? 'No breaking changes to accept'
      : `${count === 1 ? 'The change is' : `All ${count} changes are`} already accepted`
  return choosePalette(context.stdout, context, options.color).success(`✔ ${text}\n`)
}
