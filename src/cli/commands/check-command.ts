import { join, relative, resolve, sep } from 'node:path'
import { countFindings, type Diagnostic, formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { formatGithub, formatJson, type RulesetJson } from '../../diagnostics/format-text.ts'
import { runCheck } from '../../docs/check/run-check.ts'
import type { CheckLinks } from '../../docs/check/survey-docs-directory.ts'
import { docsConfigNames, packageVersion } from '../../docs/config/config-files.ts'
import type { BaselineFile, CheckTerms, DocumentReport, TrafficCounts } from '../../docs/types.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import { isFolder, type OwnedPath, resolveThroughLinks, toUserPath, type UserPath } from '../../files/boundary.ts'
import type { Files } from '../../files/files.ts'
import { createLinkCheck, listExternalLinks } from '../../site/make/links/docs-links.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { getOrMake, groupBy } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type FileChange, type SourceFile, toFileChange } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { isUnreadable, reportUnreadable, toExitCode } from '../base/command-errors.ts'
import {
  addCommonOptions,
  addRulesetOptions,
  audienceOption,
  type CommonOptions,
  choiceOption,
  collect,
  type DefineCommand,
  overlayOption,
  type RulesetOptions,
  rejectOverlays,
  sinceOption,
} from '../base/command-options.ts'
import { expandEntries } from '../open/check-entries.ts'
import type { LinkState } from '../open/request-link.ts'
import { runAndWatch, watchOption } from '../open/watch.ts'
import { chooseBoundary, openWorkspace, type Workspace } from '../open/workspace.ts'
import { rejectSource, writeChanges, writeToFile } from '../open/write-output.ts'
import { formatCheckSummary, formatRulesets, formatTraffic, formatVerdict } from '../print/check-summary.ts'
import { choosePalette, createProgress, type Progress, printDiagnostics } from '../print/terminal.ts'

const failLevels = ['error', 'warning', 'never'] as const
const formats = ['text', 'json', 'sarif', 'github', 'gitlab', 'junit', 'checkstyle', 'unix'] as const

/** Formats for programs that need the whole output, so a summary follows only if the report is in a file. */
const reportFormats: readonly string[] = ['json', 'sarif', 'gitlab', 'junit', 'checkstyle']

interface CheckCommandOptions extends Omit<CommonOptions, 'format'>, RulesetOptions {
  /** Severities by code, from the module. */
  readonly rules?: CheckTerms['rules']
  /** Overlays to apply to the document. */
  readonly overlay: readonly string[]
  /** The audience whose site is checked. */
  readonly audience?: string
  readonly format: (typeof formats)[number]
  /** Write the report to this file instead of stdout. */
  readonly output?: UserPath
  /** Print annotations in addition to the report. */
  readonly annotates?: boolean
  /** Check the links of docs directories. */
  readonly links: boolean
  /** Ask other sites for the links of docs directories. */
  readonly external: boolean
  /** False with `--no-inline-ignore`: exceptions in documents have no effect. */
  readonly inlineIgnore: boolean
  /** The file with known problems. Default: the setting in the configuration file. */
  readonly baseline?: string
  /** Recordings in place of those of the configuration file. */
  readonly traffic: readonly string[]
  readonly since?: string
  /** Write all current problems to the baseline first. */
  readonly writeBaseline?: boolean
  /** The path of the document on standard input, for its references and for diagnostics. */
  readonly stdinPath?: string
  /** Run again on changes. */
  readonly watch: boolean
  /** The least severe problems that make the command fail. */
  readonly failOn: (typeof failLevels)[number]
  /** Apply the fixes that hints describe. */
  readonly fix: boolean
  /** With `fix`, only show the changes. */
  readonly dryRun: boolean
  /** With `fix`, write although Git cannot undo the changes. */
  readonly allowDirty: boolean
}

/** The options of `openapi-check`. */
export const defineCheckCommand: DefineCommand = (command) => {
  command
    .option('-o, --output <file>', 'write the report to this file instead of stdout', toUserPath)
    .option('--stdin-path <path>', 'path of the document on stdin, to resolve its references and to name it in reports')
    .option('--traffic <path>', 'compare a recording or a folder of recordings with the documents (repeatable)', collect, [])
    .addOption(sinceOption())
    .option('--baseline <file>', 'report only problems not listed in this file')
    .option('--write-baseline', 'write the current problems of documents to the baseline and remove fixed ones', false)
    .option('--no-inline-ignore', 'report problems despite exceptions in documents')
    .addOption(
      choiceOption('--fail-on <severity>', 'exit with code 1 for problems of this severity or worse: error, warning, never', [
        ...failLevels,
      ]).default('error'),
    )
    .option(
      '--fix',
      'apply the fixes of hints that invent nothing and break no client; needs a Git work tree without uncommitted changes',
      false,
    )
    .option('--dry-run', 'with --fix: show the changes, and do not write', false)
    .option('--allow-dirty', 'with --fix: write also if Git cannot undo the changes', false)
    .option(...watchOption)
    .option('--no-links', 'do not check the settings, pages and links of docs directories as a build does')
    .option('--external', 'check the links of docs directories to other sites too', false)
  command.addOption(overlayOption()).addOption(audienceOption())
  addRulesetOptions(command)
  addCommonOptions(command, formats)
  return async (entries: readonly string[], options: CheckCommandOptions, context: CliContext) => {
    // GitHub runs the job with `GITHUB_ACTIONS=true`. A format on the command line has precedence.
    const annotates = context.env['GITHUB_ACTIONS'] === 'true' && command.getOptionValueSource('format') === 'default'
    return await (options.watch ? watchCheck : runCheckCommand)(entries, { ...options, annotates }, context)
  }
}

/** The results of all checks, with shown file names. */
interface CheckResults {
  /** The files, directories and URLs that were checked, as the user wrote them. */
  readonly entries: readonly string[]
  readonly documents: DocumentReport[]
  readonly diagnostics: Diagnostic[]
  readonly sources: Map<string, SourceFile>
  /** The rulesets that were applied. */
  readonly rulesets: RulesetJson[]
  /** For each configuration with recordings. */
  readonly traffic: TrafficCounts[]
  /** The files that were looked for, found or not, as absolute paths. */
  readonly lookedFor: Set<string>
  /** The documents that were read, as absolute paths or URLs. */
  readonly read: string[]
}

async function watchCheck(args: readonly string[], options: CheckCommandOptions, context: CliContext): Promise<ExitCode> {
  // No change of a file could start the check again.
  if (args.includes('-')) throw new ConfigError('cannot use --watch with a document on stdin')
  const files = (args.length === 0 ? ['.'] : args).filter((arg) => !isUrl(arg))
  if (files.length === 0) throw new ConfigError('cannot use --watch with URLs only')
  const folders = [...new Set(files.map((file) => chooseBoundary(file.replace(/[*?[\]{}!].*$/s, '') || '.', options, context)))]
  let lookedFor: ReadonlySet<string> = new Set()
  const run = async () => {
    const onChecked = (paths: ReadonlySet<string>) => {
      lookedFor = paths
    }
    await runCheckCommand(args, options, context, onChecked)
    return options.output === undefined ? [] : [resolve(context.workingDirectory, options.output)]
  }
  return await runAndWatch({ folders, run, hasLookedFor: (path) => lookedFor.has(path) }, options, context)
}

/** Checks documents and docs directories and prints the result. @param onChecked gets the files that were looked for, as absolute paths. */
async function runCheckCommand(
  args: readonly string[],
  options: CheckCommandOptions,
  context: CliContext,
  onChecked?: (lookedFor: ReadonlySet<string>) => void,
): Promise<ExitCode> {
  const found = await checkNamed(args, options, context)
  const { entries } = found
  onChecked?.(found.lookedFor)
  if (options.output === undefined) await print(found, options, context)
  else {
    const docsConfigs = entries.flatMap((entry) => docsConfigNames.map((name) => join(entry, name)))
    rejectSource(options.output, [...entries.filter((entry) => !isUrl(entry)), ...docsConfigs, ...found.read], context)
    await writeToFile(options.output, context, (inside) => print(found, options, inside))
  }
  if (options.annotates) {
    // GitHub expects paths relative to the root of the checkout, wherever the step runs.
    const { workingDirectory, env } = context
    const shownFrom = env['GITHUB_WORKSPACE'] || workingDirectory
    const toAnnotated = (file: string) =>
      isUrl(file) ? file : relative(shownFrom, resolve(workingDirectory, file)).replaceAll(sep, '/')
    context.stdout.write(formatGithub(renameFiles(found.diagnostics, toAnnotated)))
  }
  const isFailing = ({ severity }: Diagnostic) => options.failOn === 'warning' && severity === 'warning'
  const exitCode = toExitCode(found.diagnostics, { isOpen: found.diagnostics.some(isFailing) })
  return exitCode === 1 && options.failOn === 'never' ? 0 : exitCode
}

/**
 * Checks what arguments name: documents, docs directories, globs, URLs and `-`.
 *
 * @throws {ConfigError} if an option cannot be applied, or an argument is outside the boundary.
 */
export async function checkNamed(
  args: readonly string[],
  options: CheckCommandOptions,
  context: CliContext,
): Promise<CheckResults> {
  rejectFixOptions(args, options)
  if (options.external && !options.links) throw new ConfigError('cannot use --external with --no-links')
  const stdin = await readStdin(args, options, context)
  const paths = args.map((arg) => (arg === '-' && stdin ? stdin.name : arg))
  const { entries, unusable } = await expandEntries(paths.length === 0 ? ['.'] : paths, stdin?.name, options, context)
  const folder = entries.find((entry) => !isUrl(entry) && isFolder(resolve(context.workingDirectory, entry)))
  if (folder !== undefined && options.overlay.length > 0) rejectOverlays(folder)
  const found: CheckResults = {
    entries,
    documents: [],
    diagnostics: [...unusable],
    sources: new Map(),
    rulesets: [],
    traffic: [],
    lookedFor: new Set(),
    read: [],
  }
  for (const [boundary, inBoundary] of groupBy(entries, (entry) => chooseBoundary(entry, options, context))) {
    await checkWithin(boundary, inBoundary, stdin, options, context, found)
  }
  return found
}

/** @throws {ConfigError} */
function rejectFixOptions(args: readonly string[], { fix, dryRun, allowDirty, watch }: CheckCommandOptions): void {
  if (!fix && (dryRun || allowDirty)) throw new ConfigError(`unexpected ${dryRun ? '--dry-run' : '--allow-dirty'} without --fix`)
  if (fix && watch) throw new ConfigError('cannot use --fix with --watch')
  if (fix && args.includes('-')) throw new ConfigError('cannot use --fix with a document on stdin')
}

/** The document on standard input. */
interface Stdin {
  /** The name in reports. */
  readonly name: string
  readonly path: string
  readonly bytes: Uint8Array
}

async function readStdin(
  args: readonly string[],
  { stdinPath }: CheckCommandOptions,
  context: CliContext,
): Promise<Stdin | undefined> {
  if (!args.includes('-')) {
    if (stdinPath === undefined) return undefined
    throw new ConfigError('unexpected --stdin-path without the argument `-`', {
      hint: 'Use `-` to read the document from stdin',
    })
  }
  if (stdinPath === '' || (stdinPath !== undefined && isUrl(stdinPath))) {
    throw new ConfigError(`unexpected ${stdinPath === '' ? 'empty value' : `URL ${stdinPath}`} for --stdin-path, expected a path`)
  }
  const name = stdinPath ?? '<stdin>'
  return { name, path: resolveThroughLinks(resolve(context.workingDirectory, name)), bytes: await context.readStdin() }
}

async function checkWithin(
  boundary: OwnedPath,
  entries: readonly string[],
  stdin: Stdin | undefined,
  options: CheckCommandOptions,
  context: CliContext,
  found: CheckResults,
): Promise<void> {
  const progress = createProgress(context.stderr, options.quiet)
  const shownFrom = findCheckout(options.format, context) || context.workingDirectory
  const workspace = openWorkspace(boundary, { ...options, shownFrom, stdin }, context, progress)
  const inside = new Set(entries.map((entry) => workspace.toInside(entry)))
  const baseline = options.baseline === undefined ? undefined : workspace.toInside(options.baseline)
  const checkLinks = options.external ? checkAllLinks(options, context, progress) : checkOwnLinks
  const checkOptions = { entries: [...inside], baseline, checkLinks: options.links ? checkLinks : undefined }
  const { access, reporting } = workspace
  const { rules, audience } = options
  const terms = { ...workspace.terms, rules, audience, traffic: toTraffic(options, workspace) }
  if (options.fix) {
    const { fixProblems } = await import('../open/fix-problems.ts')
    const check = async (files: Files) => await runCheck(checkOptions, { ...access, files }, terms, reporting)
    // Programs parse stdout.
    const output = options.format === 'text' && options.output === undefined ? context.stdout : context.stderr
    await fixProblems(check, workspace, { ...options, output, palette: choosePalette(output, context, options.color) }, progress)
  }
  if (options.writeBaseline) {
    const { baselines } = await runCheck(checkOptions, access, terms, reporting)
    await writeBaselines(baselines, options.baseline !== undefined, workspace)
  }
  const { files } = access
  const read: typeof files.read = async (path, limitBytes) => {
    found.lookedFor.add(join(workspace.boundary, path))
    return await files.read(path, limitBytes)
  }
  const report = await runCheck(checkOptions, { ...access, files: { ...files, read } }, terms, reporting)
  const { diagnostics, sources } = await workspace.show(report.diagnostics, report.sourceOf)
  progress.clear()
  const left = diagnostics.filter(({ severity }) => severity !== 'info').length
  if (options.writeBaseline && left > 0 && !options.quiet) {
    const others = formatCount(left, 'other problem')
    context.stderr.write(`The baseline accepts only problems in the content of documents. ${others} left\n`)
  }
  found.read.push(...report.documents.map(({ path }) => (isUrl(path) ? path : join(workspace.boundary, path))))
  found.documents.push(...report.documents.map((document) => ({ ...document, path: workspace.toShown(document.path) })))
  const toShownRuleset = (name: string) => (name.startsWith('spectral:') ? name : workspace.toShown(name))
  found.rulesets.push(...report.rulesets.map(({ names, rules }) => ({ files: names.map(toShownRuleset), rules: rules.length })))
  found.traffic.push(...report.traffic)
  for (const diagnostic of diagnostics) found.diagnostics.push(diagnostic)
  for (const [file, source] of sources) found.sources.set(file, source)
}

function toTraffic({ traffic, since }: CheckCommandOptions, workspace: Workspace): CheckTerms['traffic'] {
  const ofDate = since === undefined ? {} : { since }
  if (traffic.length === 0) return since === undefined ? undefined : ofDate
  return { recordings: traffic.map(workspace.toInside), ...ofDate }
}

const checkOwnLinks = createLinkCheck()

/** Checks the links to other sites, too. Each is opened once, also if the documents are checked several times. */
function checkAllLinks({ allowHttp, quiet }: CheckCommandOptions, context: CliContext, progress: Progress): CheckLinks {
  const asked = new Map<string, Promise<LinkState>>()
  return async (survey, ...given) => {
    const own = await checkOwnLinks(survey, ...given)
    const { checkExternalLinks } = await import('../open/check-external-links.ts')
    const { requestLink } = await import('../open/request-link.ts')
    const { openLinkCache } = await import('../open/site-cache.ts')
    const cache = openLinkCache(context)
    const external = await checkExternalLinks(listExternalLinks(survey), {
      request: (url, limits) => {
        const access = { mayBePrivate: allowHttp, proxyVariables: context.env }
        return getOrMake(asked, url, () => requestLink(url, { ...limits, ...access }))
      },
      found: cache.read(),
      now: Date.now(),
      onProgress: (done, all) => progress.step(`opening external links: ${done} of ${all}`),
    })
    cache.write(external.found)
    progress.clear()
    if (external.note !== undefined && !quiet) context.stderr.write(`${escapeText(external.note)}\n`)
    return { ...own, findings: [...own.findings, ...external.findings] }
  }
}

/** The root of the checkout. GitHub and GitLab expect paths relative to it, wherever the step runs. */
function findCheckout(format: CheckCommandOptions['format'], { env }: CliContext): string | undefined {
  if (format === 'github' || format === 'sarif') return env['GITHUB_WORKSPACE']
  return format === 'gitlab' ? env['CI_PROJECT_DIR'] : undefined
}

/** @param isNamed by an argument, which can replace any file. A path in the configuration file can be that of another file of the user. */
async function writeBaselines(
  baselines: readonly BaselineFile[],
  isNamed: boolean,
  { boundary, toShown }: Workspace,
): Promise<void> {
  if (baselines.length === 0) {
    const hint = 'Name the file with --baseline, or set `baseline` in the configuration file.'
    throw new ConfigError('cannot write the baseline: missing file name', { hint })
  }
  const changes = baselines.flatMap(({ path, before, next, fault }): FileChange[] => {
    if (fault !== undefined && !(isNamed && before !== undefined)) {
      const hint = 'Remove it, name another file, or name this one with --baseline'
      throw new ConfigError(`cannot write the baseline ${toShown(path)}: ${fault}`, { hint })
    }
    return before === next ? [] : [toFileChange(path, before, next)]
  })
  await writeChanges(boundary, changes, toShown)
}

async function print(found: CheckResults, options: CheckCommandOptions, context: CliContext): Promise<void> {
  const { stdout, stderr } = context
  const others = reportUnreadable(found.diagnostics, stderr)
  if (options.format === 'text') await printDiagnostics(stdout, { diagnostics: others, sources: found.sources }, options, context)
  else if (options.format === 'json') stdout.write(formatJson(found.diagnostics, found.rulesets))
  else if (options.format === 'github') stdout.write(formatGithub(found.diagnostics))
  else {
    const { formatCheckstyle, formatGitlab, formatJunit, formatSarif, formatUnix } = await import(
      '../../diagnostics/format-ci.ts'
    )
    const isComplete = !found.diagnostics.some(isUnreadable)
    const documents = found.documents.map(({ path }) => path)
    const formatters = {
      sarif: () => formatSarif(found.diagnostics, { version: packageVersion, isComplete }),
      gitlab: () => formatGitlab(found.diagnostics),
      checkstyle: () => formatCheckstyle(found.diagnostics),
      unix: () => formatUnix(found.diagnostics),
      junit: () => formatJunit(found.diagnostics, documents),
    }
    stdout.write(formatters[options.format]())
  }
  // A report in a file leaves the log of the job empty.
  if (options.quiet || (reportFormats.includes(options.format) && options.output === undefined)) return
  // Programs parse stdout, so the summary goes to stderr.
  const output = options.format === 'text' ? context.stdout : context.stderr
  const unread = new Set(found.diagnostics.filter(isUnreadable).map(({ file }) => file))
  const documents = found.documents.filter(({ path }) => !unread.has(path))
  const palette = choosePalette(output, context, options.color)
  output.write(formatRulesets(found.rulesets, palette))
  output.write(formatTraffic(found.traffic, palette))
  if (found.documents.length === 0 && found.diagnostics.length === 0) {
    output.write(palette.success('✔ Nothing to check: the navigation does not name an OpenAPI document\n'))
  } else output.write(formatCheckSummary({ documents, diagnostics: others }, palette))
  output.write(formatVerdict(undefined, describeStopped(documents), palette))
  const { errors, warnings } = countFindings(found.diagnostics)
  if (options.failOn === 'warning' && errors === 0 && warnings > 0)
    output.write(palette.error(`✖ Failed because of ${formatCount(warnings, 'warning')} (--fail-on warning)\n`))
}
