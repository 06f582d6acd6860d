import { join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { configFileNames, docsConfigNames } from '../../docs/config/config-files.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { joinPath, relativePath } from '../../text/plain/paths.ts'
import { quoteForShell } from '../base/command-line.ts'
import { describeConversion, statPath, type Workspace } from '../open/workspace.ts'
import { hostNames, includedGitlabPath, listUsedStages } from './ci-files.ts'
import { type DirectoryErrors, hasDocuments, type PlannedFile, type SetupChoices } from './setup-plan.ts'
import type { RepositorySurvey } from './setup-survey.ts'

/** What to try without any setup, and what was found. */
export function describeSurvey(
  survey: RepositorySurvey,
  program: string,
  { boundary, toShown }: Workspace,
  palette: Palette,
): string {
  const { docsDirectories, documents, remoteDocuments, git } = survey
  const [document] = documents
  const docsConfigs = docsDirectories.map((folder) => {
    const [byDefault, older] = docsConfigNames.map((name) => joinPath(folder, name))
    return (older !== undefined && !statPath(join(boundary, byDefault ?? '')) ? older : byDefault) ?? ''
  })
  const shown = (paths: readonly string[]) => listFirst(paths, 3, (path) => escapeText(toShown(path)))
  const lines: string[] = []
  if (document !== undefined && docsDirectories.length === 0) {
    const path = quoteForShell(escapeText(toShown(document)))
    lines.push(
      'Try it without any setup:',
      `  ${program} build ${path}     Build a site from the document into site/`,
      `  ${program} preview ${path}   Preview it while you edit`,
      '',
    )
  }
  const all = [...documents, ...remoteDocuments]
  lines.push(palette.strong('Found'))
  lines.push(`  Docs        ${docsDirectories.length > 0 ? shown(docsConfigs) : 'no docs.json'}`)
  lines.push(`  OpenAPI     ${all.length > 0 ? shown(all) : 'no document below this directory'}`)
  lines.push(`  Git         ${git ? describeGit(git) : 'not a Git repository'}`)
  lines.push(...describeCi(survey, toShown).map((line) => `  ${line}`))
  return `${lines.join('\n')}\n\n`
}

function describeGit({ branch, changeCount }: NonNullable<RepositorySurvey['git']>): string {
  const place = branch === undefined ? 'no branch checked out' : `branch ${escapeText(branch)}`
  return changeCount === 0 ? place : `${place}, ${formatCount(changeCount, 'file')} not committed`
}

/** Describes the host and the existing CI files in aligned lines, with what follows from them. */
function describeCi(survey: RepositorySurvey, toShown: (path: string) => string): readonly string[] {
  const { git, ci, docsDirectories } = survey
  if (!git) return []
  const { host, existing, pagesFile, pipeline, otherCi } = ci
  const local = git.hasRemote ? 'the remote is on this machine' : 'no remote'
  const name = git.remoteHost === undefined ? local : escapeText(git.remoteHost)
  const lines = [`Host        ${describeHost(host && hostNames[host], name, hasDocuments(survey))}`]
  const shown = (path: string) => escapeText(toShown(path))
  if (existing !== undefined) lines.push(`CI          ${shown(existing)} runs openapi-pages already`)
  else if (otherCi !== undefined) {
    lines.push(`CI          ${shown(otherCi)}, so init writes no ${host === 'gitlab' ? 'jobs' : 'workflow'}. See ${ciGuide}`)
  } else if (host === 'bitbucket' && pipeline) {
    lines.push(`CI          ${shown(pipeline.path)} exists, and init changes no file. See ${ciGuide}`)
  }
  if (pagesFile !== undefined && docsDirectories.length === 0 && host !== 'bitbucket') {
    lines.push(
      `Pages       ${shown(pagesFile)} deploys to ${host === 'gitlab' ? 'GitLab' : 'GitHub'} Pages, so init does not deploy a site there`,
    )
  }
  return lines
}

const ciGuide = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/ci.md'

function describeHost(host: string | undefined, by: string, hasWork: boolean): string {
  if (host !== undefined) return `${host} (${by})`
  if (!hasWork) return by
  return `${by}, so init writes no jobs. Name the host with --host, or see ${ciGuide}`
}

/**
 * What a person has to do so that the written jobs work, one sentence each.
 *
 * @param releaseCommit see `CiPlace.releaseCommit`.
 */
export function describeCiSteps(
  { ci, remoteDocuments }: RepositorySurvey,
  { host, task }: SetupChoices,
  files: readonly PlannedFile[],
  releaseCommit?: string,
): readonly string[] {
  const isWritten = (path: string) => files.some((file) => file.path === path)
  const steps: string[] = []
  const isIncluded = ci.existing === includedGitlabPath || isWritten(includedGitlabPath)
  if (host === 'gitlab' && isIncluded && ci.pipeline) {
    const stages = listUsedStages(task, ci.pipeline.stages).map((stage) => `\`${escapeText(stage)}\``)
    const place = isWritten(includedGitlabPath) ? ` in ${stages.length === 1 ? 'stage' : 'stages'} ${stages.join(' and ')}` : ''
    steps.push(`To run the jobs${place}, add this to ${ci.pipeline.path}: \`include: [{ local: ${includedGitlabPath} }]\``)
  }
  if (host === undefined || task === 'none' || ci.existing !== undefined) return steps
  if (host === 'github' && task === 'site') {
    steps.push('Before you push, open the settings of the repository on GitHub, and set Pages → Source to GitHub Actions')
  }
  if (host === 'github' && task === 'pages') {
    steps.push(
      'If a branch rule protects the branch, the Action opens a pull request. Allow this in the settings on GitHub: Actions → General → Allow GitHub Actions to create and approve pull requests',
    )
  }
  if (host === 'gitlab' && task === 'pages') {
    steps.push(
      'To let the job commit, create a project access token with the role Maintainer and the scope write_repository, and save it as the masked CI/CD variable OPENAPI_PAGES_TOKEN',
    )
  }
  if (remoteDocuments.length > 0 && task !== 'check' && host !== 'github') {
    const where = host === 'gitlab' ? 'Build → Pipeline schedules' : 'Pipelines → Schedules'
    steps.push(`The documents at URLs change without a commit. To follow them, add a schedule for the default branch: ${where}`)
  }
  if (releaseCommit === undefined && (host !== 'github' || task === 'site')) {
    steps.push(
      `This is no released version, and the jobs install openapi-pages from npm. See ${ciGuide}#before-the-first-release`,
    )
  }
  if (host === 'github' && releaseCommit === undefined) {
    steps.push(
      'This is no released version, so the workflows use the branch main of the Action. Replace `main` with a commit SHA to pin it',
    )
  }
  return steps
}

/** Explains a docs.json without OpenAPI documents, for which there is nothing to set up. */
export function describeNoDocuments(
  { docsDirectories, swaggerDocuments }: RepositorySurvey,
  program: string,
  { toShown }: Workspace,
): string {
  const path = escapeText(toShown(joinPath(docsDirectories[0] ?? '', docsConfigNames[0])))
  const conversion = describeConversion(swaggerDocuments.map(toShown))
  const first = conversion === undefined ? 'Add an OpenAPI document' : `${escapeText(conversion)}. Then`
  const division = '`{ "tab": "API Reference", "openapi": "openapi.yaml" }`'
  return (
    'Nothing to set up: there is no OpenAPI document here, and no docs.json names one\n' +
    `  ${first}${conversion === undefined ? ',' : ''} name it in ${path} with a division such as ${division}, and run \`${program} init\` again\n`
  )
}

export function describePlan(plan: readonly PlannedFile[], { toShown }: Workspace, palette: Palette): string {
  const shown = plan.map(({ path, before, why }) => ({
    mark: before === undefined ? '+' : '~',
    name: escapeText(toShown(path)),
    why,
  }))
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ mark, name, why }) => `  ${mark} ${name.padEnd(width)}   ${palette.dim(escapeText(why))}\n`)
  return `${palette.strong('Plan')}   + new file, ~ changed file\n${lines.join('')}\n`
}

/** The documents that cannot be read, and what to do about it. */
export function describeUnreadableDocuments(errors: readonly DirectoryErrors[], { toShown }: Workspace): string[] {
  return errors
    .flatMap(({ unreadable }) => unreadable)
    .map(({ file, message, hint }) => {
      return escapeText(`${toShown(file)}: ${message}${hint === undefined ? '' : `. ${hint.split('\n')[0]}`}`)
    })
}

/** The errors that make checks fail, and how to accept them. */
export function describeErrors(
  errors: readonly DirectoryErrors[],
  { command, program }: { readonly command: string; readonly program: string },
  { toShown }: Workspace,
): string[] {
  const failing = errors.filter(({ errorCount }) => errorCount > 0)
  const [first, ...others] = failing
  if (first === undefined) return []
  const at = others.length > 0 ? '.' : escapeText(quoteForShell(toShown(first.directory)))
  const found = `${sumErrors(failing)}, so checks fail. To see them, run \`${program} check ${at}\`. To accept them and report only new ones`
  const how = failing.some(({ baseline }) => baseline)
    ? `, run \`${command}\``
    : `, see https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline`
  return [`${found}${how}`, ...failing.flatMap(({ stopped }) => (stopped === undefined ? [] : escapeText(stopped)))]
}

export function describeSkipped(
  skipped: readonly { readonly directory: string; readonly pageCount: number }[],
  program: string,
  { toShown }: Workspace,
): string[] {
  return skipped.map(({ directory, pageCount }) => {
    const at = directory === '' || directory === '.' ? '' : ` ${quoteForShell(toShown(directory))}`
    return `${formatCount(pageCount, 'API page')} cannot be recorded. To see why, run \`${program} adopt${at}\``
  })
}

export function sumErrors(errors: readonly DirectoryErrors[]): string {
  return formatCount(
    errors.reduce((sum, { errorCount }) => sum + errorCount, 0),
    'error',
  )
}

/** The next three commands. */
export function describeNext(
  survey: RepositorySurvey,
  plan: readonly PlannedFile[],
  { task }: SetupChoices,
  { toShown }: Workspace,
  palette: Palette,
  program: string,
): string {
  const [docsDirectory = survey.root] = survey.docsDirectories
  const folder = relativePath(survey.root, docsDirectory)
  const at = folder === '' || folder === '.' ? '' : ` ${quoteForShell(folder)}`
  const commits = survey.git !== undefined && plan.length > 0
  const untracked = listSetupFiles(survey).filter((path) => survey.git?.untracked.has(path))
  const paths = [...plan.map(({ path }) => path.replace(/^\.github\/.*/, '.github')), ...untracked]
  const added = [...new Set(paths.map((path) => quoteForShell(toShown(path))))].join(' ')
  const commands: (readonly [command: string, why: string])[] = [
    [`${program} check${survey.docsDirectories.length > 1 ? ' .' : at || ' .'}`, 'Check the documents and pages'],
    ...(task === 'pages' ? [[`${program} update${at} --dry-run`, 'Show the API pages to generate'] as const] : []),
    [`${program} preview${at}`, 'Preview the site'],
    commits
      ? [`git add ${added} && git commit -m 'Set up openapi-pages'`, 'Commit the setup']
      : [`${program} build${at}`, 'Build the site'],
  ]
  return formatNext(commands.length > 3 ? [...commands.slice(0, 2), ...commands.slice(-1)] : commands, palette)
}

/** The files that the jobs need, if they exist: documents, and the configuration of each docs directory. */
function listSetupFiles({ root, documents, docsDirectories }: RepositorySurvey): readonly string[] {
  const names = [...docsConfigNames, ...configFileNames]
  return [...documents, ...[root, ...docsDirectories].flatMap((folder) => names.map((name) => joinPath(folder, name)))]
}

/** Lists commands with what they are for. */
function formatNext(commands: readonly (readonly [command: string, why: string])[], palette: Palette): string {
  const width = Math.max(...commands.map(([command]) => command.length))
  const lines = commands.map(([command, why]) => `  ${escapeText(command).padEnd(width)}   ${palette.dim(why)}\n`)
  return `\n${palette.strong('Next')}\n${lines.join('')}`
}
