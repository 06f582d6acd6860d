import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { isDocsConfigPath, oldDocsConfigHint, oldDocsConfigName, toDocsConfigPath } from '../../docs/config/config-files.ts'
import { statPath } from '../../files/boundary.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import type { Questions } from '../base/ask.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import { addColorOptions, type CommonOptions, choiceOption, type DefineCommand } from '../base/command-options.ts'
import { chooseBoundary, describeConversion, openWorkspace, type Workspace } from '../open/workspace.ts'
import { choosePalette, createProgress } from '../print/terminal.ts'
import { type CiTask, type Host, hostNames, hosts } from './ci-files.ts'
import {
  describeCiSteps,
  describeLeftOut,
  describeNext,
  describeNoDocuments,
  describePlan,
  describeSkipped,
  describeSurvey,
  listUncommitted,
} from './describe-setup.ts'
import { acceptErrors, chooseDefaults, chooseTask, hasDocuments, planSetup, type SetupChoices } from './setup-plan.ts'
import { describeProof, provePlan } from './setup-proof.ts'
import { undoSetup, writeSetup } from './setup-record.ts'
import { type RepositorySurvey, surveyRepository } from './setup-survey.ts'

interface InitCommandOptions extends Pick<CommonOptions, 'allowHttp' | 'color'> {
  readonly yes: boolean
  readonly dryRun: boolean
  readonly undo: boolean
  /** Accept all current errors. */
  readonly baseline: boolean
  /** Write a plan whose jobs fail in a clone. */
  readonly force: boolean
  /** The command that makes the documents that Git ignores. */
  readonly build?: string
  /** Default: by the remote, else by the CI files. */
  readonly host?: Host | 'none'
}

/** The options of `init`. */
export const defineInitCommand: DefineCommand = (command) => {
  command
    .option('-y, --yes', 'ask nothing, and write the default plan', false)
    .option('--dry-run', 'print the default plan, and write nothing', false)
    .option('--undo', 'remove the files that init wrote, unless they were edited since', false)
    .option('--baseline', 'accept the current errors of documents in a baseline, so that checks report only new ones', false)
    .option('--build <command>', 'command that makes the documents that Git ignores; the jobs run it first')
    .option('--force', 'write the plan although its jobs fail in a clone', false)
    .addOption(
      choiceOption('--host <host>', 'host of the repository: github, gitlab, bitbucket, none (default: by its remote)', [
        ...hosts,
        'none',
      ]),
    )
    .option('--local-schema, --allow-http', 'allow plain http and private addresses for the URLs in docs.json too', false)
  addColorOptions(command)
  return runInitCommand
}

async function runInitCommand(argument: string, options: InitCommandOptions, context: CliContext): Promise<ExitCode> {
  const stats = isUrl(argument) ? undefined : statPath(resolve(context.workingDirectory, argument))
  if (!stats && !isUrl(argument)) throw new ConfigError(`cannot set up ${argument}: no such file or directory`)
  const progress = createProgress(context.stderr, false)
  const isDocsConfig = stats?.isFile() === true && isDocsConfigPath(basename(argument))
  const isFolder = stats?.isDirectory() === true || isDocsConfig
  const folder = isDocsConfig ? dirname(argument) : isFolder ? argument : '.'
  const workspace = openWorkspace(chooseBoundary(folder, {}, context), options, context, progress)
  const root = workspace.toInside(folder)
  if (options.undo) return await undo(root, workspace, context)
  const given = isFolder ? undefined : workspace.toInside(argument)
  const survey = await surveyRepository(root, given, workspace, options.host)
  if (survey.documents.length === 0 && (given !== undefined || survey.docsDirectories.length === 0))
    throw explainNothingFound(argument, given, survey, workspace, context)
  refuseOldFormat(survey, workspace)
  const print = (text: string) => context.stdout.write(text)
  const palette = choosePalette(context.stdout, context, options.color)
  print(describeSurvey(survey, workspace, palette))
  const asks = !options.yes && !options.dryRun && context.openQuestions !== undefined
  const questions = asks ? await context.openQuestions?.() : undefined
  const chosen = questions ? await askChoices(survey, questions, workspace) : chooseDefaults(survey)
  if (!chosen) return cancel(context)
  const [made] = chosen.task === 'none' || survey.ci.existing !== undefined ? [] : survey.madeDocuments.map(workspace.toShown)
  if (made !== undefined && options.build === undefined && !questions) refuseMade(made)
  const question = `Git ignores ${escapeText(made ?? '')}, so jobs have to make it. With which command?`
  const build = options.build ?? (made && (await questions?.ask(question, './gradlew generateOpenApiDocs')))
  if (made !== undefined && build === undefined) return cancel(context)
  const choices = { ...chosen, build }
  const releaseCommit = readReleaseCommit()
  const plan = await planSetup(survey, choices, workspace, releaseCommit)
  progress.clear()
  const acceptable = plan.baselines.length > 0
  const asksBaseline = acceptable && !options.baseline && questions !== undefined
  const accepts = asksBaseline ? await questions.confirm(baselineQuestion) : acceptable && options.baseline
  if (accepts === undefined) return cancel(context)
  const files = accepts ? acceptErrors(plan) : plan.files
  const start = ['openapi-pages init', ...(argument === '.' ? [] : [quoteForShell(argument)])]
  const same = [
    ...(options.host ? ['--host', options.host] : []),
    ...(build === undefined ? [] : ['--build', quoteForShell(build)]),
    ...(options.allowHttp ? ['--allow-http'] : []),
  ]
  const toCommand = (...more: readonly string[]) => [...start, ...same, ...more].join(' ')
  const notes = describeSkipped(plan.skipped, workspace).map((note) => palette.warning(`! ${note}\n\n`))
  if (files.length === 0) {
    const isSetUp = hasDocuments(survey)
    print(isSetUp ? palette.success('✔ Already set up, nothing to write\n') : describeNoDocuments(survey, workspace))
    const steps = describeCiSteps(survey, choices, files).map((step) => `${step}\n`)
    print([...notes, ...steps].join(''))
    if (isSetUp) print(describeNext(survey, files, workspace, palette))
    return 0
  }
  print(describePlan(files, workspace, palette))
  const proof = { files, uncommitted: listUncommitted(survey), commands: plan.commands, build: choices.build }
  progress.step('running the jobs in a clone')
  const steps = survey.git && hasDocuments(survey) ? await provePlan(proof, workspace.boundary, context, progress.step) : []
  progress.clear()
  print(describeProof(steps, palette) + notes.join(''))
  const command = toCommand(...(accepts ? ['--baseline'] : []), '--yes')
  if (steps.some(({ passes }) => !passes)) {
    print(describeLeftOut(survey, workspace))
    if (acceptable && !accepts)
      print(`To accept the errors, and report only new ones, run \`${toCommand('--yes', '--baseline')}\`\n`)
    if (plan.hasJobs && !options.force) {
      print(palette.error(`✖ Nothing was written: the jobs would fail. To write the plan anyway, run \`${command} --force\`\n`))
      return 1
    }
  }
  const commands = { write: command, undo: [...start, '--undo'].join(' ') }
  const end = await confirmAndWrite(files, { root, commands, options, questions }, workspace, context)
  if (end !== undefined) return end
  for (const step of describeCiSteps(survey, choices, files, releaseCommit)) print(`  ${step}\n`)
  print(describeNext(survey, files, workspace, palette))
  return 0
}

const madeGuide = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/generated-documents.md'

const addDocument = `Add an OpenAPI document, such as openapi.yaml, and run the command again. If a build makes the document, run the build first. See ${madeGuide}`

/** @throws {ConfigError} because jobs need a document that a build makes, and its command is not known. */
function refuseMade(shown: string): never {
  throw new ConfigError(`cannot set up jobs: Git ignores ${shown}, so a clone does not have it`, {
    hint: `Name the command that makes it with --build, such as --build './gradlew generateOpenApiDocs'. See ${madeGuide}`,
  })
}

interface WriteOptions {
  readonly root: string
  /** The commands that write the files without a question, and remove them again. */
  readonly commands: { readonly write: string; readonly undo: string }
  readonly options: InitCommandOptions
  readonly questions: Questions | undefined
}

/** Writes the planned files, after a question unless `--yes` is set. Returns the exit code if nothing was written. */
async function confirmAndWrite(
  files: Parameters<typeof writeSetup>[2],
  { root, commands, options: { yes, dryRun, color }, questions }: WriteOptions,
  workspace: Workspace,
  context: CliContext,
): Promise<ExitCode | undefined> {
  const print = (text: string) => context.stdout.write(text)
  if (dryRun || (!yes && !questions)) {
    print(`Nothing was written. To write these files, run \`${commands.write}\`\n`)
    return 0
  }
  if (questions && !(await questions.confirm(`Write ${files.length === 1 ? 'this file' : `these ${files.length} files`}?`))) {
    return cancel(context)
  }
  await writeSetup(workspace.boundary, root, files)
  const palette = choosePalette(context.stdout, context, color)
  print(palette.success(`✔ ${formatCount(files.length, 'file')} written\n`))
  print(palette.dim(`  To undo this, run \`${commands.undo}\`\n`))
  return undefined
}

/** The commit of the release that this package was made from. Absent in a clone, whose commit may exist only there. */
function readReleaseCommit(): string | undefined {
  try {
    return readFileSync(join(fileURLToPath(import.meta.url), '../release-commit.txt'), 'utf8').trim()
  } catch {
    return undefined
  }
}

function cancel({ stderr }: CliContext): ExitCode {
  stderr.write('Canceled, nothing was written\n')
  return 2
}

/** @throws {ConfigError} if a docs directory has a `mint.json` and no `docs.json`. */
function refuseOldFormat({ docsDirectories }: RepositorySurvey, { boundary, toShown }: Workspace): void {
  const folder = docsDirectories.find((each) => !statPath(join(boundary, toDocsConfigPath(each))))
  if (folder === undefined) return
  throw new ConfigError(`cannot set up ${toShown(joinPath(folder, oldDocsConfigName))}: it has the format before 2025`, {
    hint: oldDocsConfigHint,
  })
}

function explainNothingFound(
  argument: string,
  given: string | undefined,
  { swaggerDocuments }: RepositorySurvey,
  { toShown }: Workspace,
  { workingDirectory }: CliContext,
): ConfigError {
  const folder = resolve(workingDirectory, argument)
  const isBareRepository = ['HEAD', 'objects', 'refs'].every((name) => statPath(join(folder, name)))
  const here = argument === '.' ? 'this directory' : argument
  const [what, next] = isBareRepository
    ? ['it is a bare Git repository', 'Clone it, and run the command in the clone']
    : given !== undefined
      ? ['it is not an OpenAPI 3 document', 'Name a JSON or YAML file with `openapi: 3.1.0` or another version']
      : ['it has no docs.json and no OpenAPI 3 document', addDocument]
  const convertible = swaggerDocuments.filter((path) => given === undefined || path === given).map(toShown)
  return new ConfigError(`cannot set up ${here}: ${what}`, { hint: describeConversion(convertible) ?? next })
}

/** What the CI system of a host can do. */
function listTasks(host: Host): { readonly [task in CiTask]?: string } {
  const requests = host === 'gitlab' ? 'merge requests' : 'pull requests'
  return {
    ...(host !== 'bitbucket' && { site: `Publish a site on ${hostNames[host]} Pages, and check ${requests}` }),
    pages: `Commit API pages to this repository, and check ${requests}`,
    check: `Check ${requests}`,
    none: 'Nothing',
  }
}

const ciNames: { readonly [host in Host]: string } = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
  bitbucket: 'Bitbucket Pipelines',
}

/** Asks at most two questions about the plan. Returns `undefined` if the person cancels. */
async function askChoices(
  survey: RepositorySurvey,
  questions: Questions,
  { toShown }: Workspace,
): Promise<SetupChoices | undefined> {
  const defaults = chooseDefaults(survey)
  const { ci, docsDirectories } = survey
  let { documents } = defaults
  if (docsDirectories.length === 0 && documents.length > 1) {
    const choices = documents.map((path) => ({ value: path, label: escapeText(toShown(path)) }))
    const chosen = await questions.chooseSeveral('Which OpenAPI documents do you want to publish?', choices)
    if (!chosen) return undefined
    documents = chosen
  }
  const nothing = { documents, task: 'none', host: defaults.host } as const
  if (defaults.host === undefined && ci.existing === undefined && ci.otherCi === undefined && hasDocuments(survey)) {
    const choices = [
      ...hosts.map((host) => ({ value: host, label: hostNames[host] })),
      { value: 'none', label: 'Somewhere else' },
    ]
    const answer = await questions.choose('Where will this repository be hosted?', choices)
    if (answer === undefined) return undefined
    const host = hosts.find((each) => each === answer)
    return host ? { documents, host, task: chooseTask(survey, host) } : nothing
  }
  const { host, task } = defaults
  if (host === undefined || task === 'none') return nothing
  const labels = listTasks(host)
  // A site has one docs directory.
  const isPossible = (each: CiTask) => labels[each] !== undefined && !(each === 'site' && docsDirectories.length > 1)
  const tasks = [task, ...(['site', 'pages', 'check', 'none'] as const)].filter(isPossible)
  const choices = [...new Set(tasks)].map((each) => ({ value: each, label: labels[each] ?? each }))
  const answer = await questions.choose(`What do you want ${ciNames[host]} to do?`, choices)
  const chosen = choices.find(({ value }) => value === answer)?.value
  return chosen && { documents, host, task: chosen }
}

const baselineQuestion = 'The check finds errors. Accept them in a baseline, so that only new ones are reported?'

async function undo(root: string, { boundary, toShown }: Workspace, { stdout }: CliContext): Promise<ExitCode> {
  const undone = await undoSetup(boundary, root)
  if (!undone) {
    stdout.write('Nothing to undo: `openapi-pages init` wrote no files here\n')
    return 0
  }
  const list = (mark: string, paths: readonly string[], what: string) => {
    for (const path of paths) stdout.write(`  ${mark} ${escapeText(toShown(path))}   ${what}\n`)
  }
  list('-', undone.removed, 'removed')
  list('~', undone.restored, 'restored')
  list('=', undone.kept, 'not as init wrote it, not touched')
  const isGone = undone.removed.length + undone.restored.length + undone.kept.length === 0
  if (isGone) stdout.write('Nothing to undo: the files that `openapi-pages init` wrote are gone already\n')
  else stdout.write(undone.kept.length > 0 ? '✔ Undone, except for edited files\n' : '✔ Undone\n')
  return 0
}
