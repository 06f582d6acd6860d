import { join, resolve } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { docsConfigNames, oldDocsConfigName } from '../../docs-config/config-files.ts'
import { ConfigError } from '../../errors.ts'
import { escapeText } from '../../source/escape-text.ts'
import { joinPath, relativePath } from '../../source/relative-path.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { addColorOptions, type DefineCommand } from '../command-options.ts'
import { quoteForShell } from '../documents/find-documents.ts'
import type { Questions } from '../output/ask.ts'
import { choosePalette, createProgress } from '../output/terminal.ts'
import type { WorkflowKind } from '../setup/setup-files.ts'
import {
  chooseDefaults,
  type PlannedFile,
  planSetup,
  type RepositorySurvey,
  type SetupChoices,
  surveyRepository,
} from '../setup/setup-plan.ts'
import { undoSetup, writeSetup } from '../setup/setup-record.ts'
import { findMintConfigs, planUpgrade } from '../setup/upgrade-mint-config.ts'
import { chooseBoundary, openWorkspace, statPath, type Workspace } from '../workspace.ts'

interface InitCommandOptions {
  readonly yes: boolean
  readonly dryRun: boolean
  readonly undo: boolean
  readonly upgrade: boolean
  readonly allowHttp: boolean
  readonly color?: boolean
}

/** The options, help and action of `init`. */
export const defineInitCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Sets up a repository: writes a docs.json if there is none, a workflow for GitHub Actions and a configuration file, and records ' +
        'existing API pages. Shows the plan and asks before it writes. Never overwrites a file.',
    )
    .option('-y, --yes', 'ask no questions, and write the default plan', false)
    .option('--dry-run', 'ask nothing, do not write; print the default plan', false)
    .option('--undo', 'remove the files that init wrote, unless they were edited since', false)
    .option('--upgrade', 'convert a mint.json, the format before 2025, to a docs.json', false)
    .option('--local-schema, --allow-http', 'allow plain http and private addresses for the URLs in docs.json too', false)
  addColorOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages init             Set up the repository in the working directory
  openapi-pages init --dry-run   Show what it would write
  openapi-pages init --upgrade   Convert a mint.json to a docs.json, and set up the repository
  openapi-pages init --undo      Remove what it wrote`,
    )
    .action(async (root: string, options: InitCommandOptions) => {
      end(await runInitCommand(root, options, context))
    })
}

async function runInitCommand(argument: string, options: InitCommandOptions, context: CliContext): Promise<ExitCode> {
  const stats = statPath(resolve(context.workingDirectory, argument))
  if (!stats) throw new ConfigError(`cannot set up ${argument}: no such directory`)
  if (!stats.isDirectory()) throw new ConfigError(`cannot set up ${argument}: it is a file`, { hint: 'Name its directory' })
  const progress = createProgress(context.stderr, false)
  const workspace = openWorkspace(chooseBoundary(argument, {}, context), options, context, progress)
  const root = workspace.toInside(argument)
  if (options.undo) return await undo(root, workspace, context)
  const survey = await surveyRepository(root, workspace)
  if (survey.docsDirectories.length === 0 && survey.documents.length === 0) throw explainNothingFound(argument, context)
  const old = findMintConfigs(survey.docsDirectories, workspace)
  if (old.length > 0 && !options.upgrade) throw explainOldFormat(old, workspace)
  const upgrades = await Promise.all(old.map((folder) => planUpgrade(folder, workspace)))
  const print = (text: string) => context.stdout.write(text)
  const palette = choosePalette(context.stdout, context, options.color)
  // The commands below work in the shell that started this one. npx sets this variable.
  const program = context.env['npm_command'] === 'exec' ? 'npx openapi-pages' : 'openapi-pages'
  print(describeSurvey(survey, workspace, palette))
  const asks = !options.yes && !options.dryRun && context.openQuestions !== undefined
  const questions = asks ? await context.openQuestions?.() : undefined
  const choices = questions ? await askChoices(survey, questions, workspace) : chooseDefaults(survey)
  if (!choices) return cancel(context)
  const { files: plan, skipped } = await planSetup(survey, choices, workspace, upgrades)
  progress.clear()
  if (plan.length === 0) {
    print(palette.success('✔ Already set up, nothing to write\n'))
    print(describeNext(survey, plan, choices, workspace, palette, program))
    return 0
  }
  print(describePlan(plan, workspace, palette))
  for (const { directory, pageCount } of skipped) {
    const at = directory === '' || directory === '.' ? '' : ` ${quoteForShell(workspace.toShown(directory))}`
    const pages = formatCount(pageCount, 'API page')
    print(palette.warning(`! ${pages} cannot be recorded. To see why, run \`${program} adopt${at}\`\n\n`))
  }
  if (options.dryRun || (!options.yes && !questions)) {
    print(`Nothing was written. To write these files, run \`${program} init ${old.length > 0 ? '--upgrade ' : ''}--yes\`\n`)
    return 0
  }
  if (questions && !(await questions.confirm(`Write ${plan.length === 1 ? 'this file' : `these ${plan.length} files`}?`))) {
    return cancel(context)
  }
  await writeSetup(workspace.boundary, root, plan)
  print(palette.success(`✔ ${formatCount(plan.length, 'file')} written\n`))
  print(palette.dim(`  To undo this, run \`${program} init --undo\`\n`))
  if (choices.workflow === 'site' && survey.workflow === undefined) {
    print('  Before you push, open the settings of the repository on GitHub, and set Pages → Source to GitHub Actions\n')
  }
  print(describeNext(survey, plan, choices, workspace, palette, program))
  return 0
}

function cancel({ stderr }: CliContext): ExitCode {
  stderr.write('Canceled, nothing was written\n')
  return 2
}

function explainOldFormat(folders: readonly string[], { toShown }: Workspace): ConfigError {
  const [path = ''] = folders.map((folder) => toShown(joinPath(folder, oldDocsConfigName)))
  return new ConfigError(`cannot set up ${path}: it has the format before 2025`, {
    hint: 'Run `openapi-pages init --upgrade` to convert it to a docs.json',
  })
}

function explainNothingFound(argument: string, { workingDirectory }: CliContext): ConfigError {
  const folder = resolve(workingDirectory, argument)
  const isBareRepository = ['HEAD', 'objects', 'refs'].every((name) => statPath(join(folder, name)))
  const here = argument === '.' ? 'this directory' : argument
  if (isBareRepository) {
    return new ConfigError(`cannot set up ${here}: it is a bare Git repository`, {
      hint: 'Clone it, and run the command in the clone',
    })
  }
  return new ConfigError(`cannot set up ${here}: it has no docs.json and no OpenAPI 3 document`, {
    hint: 'Add an OpenAPI document, such as openapi.yaml, and run the command again',
  })
}

/** What to try without any setup, and what was found. */
function describeSurvey(survey: RepositorySurvey, { boundary, toShown }: Workspace, palette: Palette): string {
  const { docsDirectories, documents, git, workflow, pagesWorkflow, otherCi } = survey
  const [document] = documents
  const docsConfigs = docsDirectories.map((folder) => {
    const [byDefault, older] = docsConfigNames.map((name) => joinPath(folder, name))
    return (older !== undefined && !statPath(join(boundary, byDefault ?? '')) ? older : byDefault) ?? ''
  })
  const shown = (paths: readonly string[]) => {
    const named = paths.slice(0, 3).map((path) => escapeText(toShown(path)))
    const left = paths.length - named.length
    return `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  }
  const lines: string[] = []
  if (document !== undefined && docsDirectories.length === 0) {
    const path = quoteForShell(escapeText(toShown(document)))
    lines.push(
      'Try it without any setup:',
      `  npx openapi-pages build ${path}     Build a site from the document into site/`,
      `  npx openapi-pages preview ${path}   Preview it while you edit`,
      '',
    )
  }
  lines.push(palette.strong('Found'))
  lines.push(`  Docs        ${docsDirectories.length > 0 ? shown(docsConfigs) : 'no docs.json'}`)
  lines.push(`  OpenAPI     ${documents.length > 0 ? shown(documents) : 'no document below this directory'}`)
  lines.push(`  Git         ${git ? describeGit(git) : 'not a Git repository. GitHub Actions needs one'}`)
  if (workflow !== undefined) lines.push(`  Workflow    ${escapeText(toShown(workflow))} runs openapi-pages already`)
  if (pagesWorkflow !== undefined && docsDirectories.length === 0)
    lines.push(
      `  Pages       ${escapeText(toShown(pagesWorkflow))} deploys to GitHub Pages, so init does not deploy a site there`,
    )
  if (otherCi !== undefined) lines.push(`  CI          ${escapeText(otherCi)}, so init writes no workflow for GitHub Actions`)
  return `${lines.join('\n')}\n\n`
}

function describeGit({ branch, changeCount }: NonNullable<RepositorySurvey['git']>): string {
  const place = branch === undefined ? 'no branch checked out' : `branch ${escapeText(branch)}`
  return changeCount === 0 ? place : `${place}, ${formatCount(changeCount, 'file')} not committed`
}

/** Asks at most two questions; the third is whether to write the plan. Returns `undefined` if the person cancels. */
async function askChoices(
  survey: RepositorySurvey,
  questions: Questions,
  { toShown }: Workspace,
): Promise<SetupChoices | undefined> {
  const defaults = chooseDefaults(survey)
  let { documents } = defaults
  if (survey.docsDirectories.length === 0 && documents.length > 1) {
    const choices = documents.map((path) => ({ value: path, label: escapeText(toShown(path)) }))
    const chosen = await questions.chooseSeveral('Which OpenAPI documents do you want to publish?', choices)
    if (!chosen) return undefined
    documents = chosen
  }
  if (defaults.workflow === 'none') return { documents, workflow: 'none' }
  const labels: { readonly [kind in WorkflowKind]: string } = {
    site: 'Publish a site on GitHub Pages, and check pull requests',
    pages: 'Commit API pages to this repository, and check pull requests',
    check: 'Check pull requests',
    none: 'Nothing',
  }
  const kinds: readonly WorkflowKind[] = [defaults.workflow, ...(['site', 'pages', 'check', 'none'] as const)]
  const choices = [...new Set(kinds)].map((kind) => ({ value: kind, label: labels[kind] }))
  const answer = await questions.choose('What do you want GitHub Actions to do?', choices)
  const workflow = choices.find(({ value }) => value === answer)?.value
  return workflow && { documents, workflow }
}

function describePlan(plan: readonly PlannedFile[], { toShown }: Workspace, palette: Palette): string {
  const shown = plan.map(({ path, before, why }) => ({
    mark: before === undefined ? '+' : '~',
    name: escapeText(toShown(path)),
    why,
  }))
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ mark, name, why }) => `  ${mark} ${name.padEnd(width)}   ${palette.dim(escapeText(why))}\n`)
  return `${palette.strong('Plan')}   + new file, ~ changed file\n${lines.join('')}\n`
}

/** The next three commands. */
function describeNext(
  survey: RepositorySurvey,
  plan: readonly PlannedFile[],
  { workflow }: SetupChoices,
  { toShown }: Workspace,
  palette: Palette,
  program: string,
): string {
  const [docsDirectory = survey.root] = survey.docsDirectories
  const folder = relativePath(survey.root, docsDirectory)
  const at = folder === '' || folder === '.' ? '' : ` ${quoteForShell(folder)}`
  const commits = survey.git !== undefined && plan.length > 0
  const written = [...new Set(plan.map(({ path }) => quoteForShell(toShown(path.replace(/^\.github\/.*/, '.github')))))].join(' ')
  const commands = [
    [`${program} check${at || ' .'}`, 'Check the documents and pages'],
    workflow === 'pages' ? [`${program} update${at} --dry-run`, 'Show the API pages to generate'] : undefined,
    [`${program} preview${at}`, 'Preview the site'],
    commits
      ? [`git add ${written} && git commit -m 'Set up openapi-pages'`, 'Commit the setup']
      : [`${program} build${at}`, 'Build the site'],
  ].filter((command): command is string[] => command !== undefined)
  const three = commands.length > 3 ? [...commands.slice(0, 2), ...commands.slice(-1)] : commands
  const width = Math.max(...three.map(([command = '']) => command.length))
  const lines = three.map(([command = '', why = '']) => `  ${escapeText(command).padEnd(width)}   ${palette.dim(why)}\n`)
  return `\n${palette.strong('Next')}\n${lines.join('')}`
}

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
  list('=', undone.kept, 'edited since, not touched')
  stdout.write(undone.kept.length > 0 ? '✔ Undone, except for edited files\n' : '✔ Undone\n')
  return 0
}
