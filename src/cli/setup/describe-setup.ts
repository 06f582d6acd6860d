import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { configFileNames, docsConfigNames, lockFileName } from '../../docs/config/config-files.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { quoteForShell } from '../base/command-line.ts'
import { describeConversion, type Workspace } from '../open/workspace.ts'
import { hostNames, includedGitlabPath, listUsedStages } from './ci-files.ts'
import { baselineName, hasDocuments, type PlannedFile, type SetupChoices } from './setup-plan.ts'
import type { RepositorySurvey } from './setup-survey.ts'

/** What was found. */
export function describeSurvey(survey: RepositorySurvey, { toShown }: Workspace, palette: Palette): string {
  const { docsDirectories, documents, remoteDocuments, git } = survey
  const docsConfigs = docsDirectories.map((folder) => joinPath(folder, docsConfigNames[0]))
  const shown = (paths: readonly string[]) => listFirst(paths, 3, (path) => escapeText(toShown(path)))
  const lines: string[] = []
  const all = [...new Set([...documents, ...remoteDocuments])]
  lines.push(palette.strong('Found'))
  lines.push(`  Docs        ${docsDirectories.length > 0 ? shown(docsConfigs) : 'no docs.json'}`)
  lines.push(`  OpenAPI     ${all.length > 0 ? shown(all) : 'no document below this directory'}`)
  for (const [path, source] of survey.derived) lines.push(`              ${shown([path])} is derived from ${shown([source])}`)
  if (survey.leftOut.length > 0) lines.push(`  Left out    ${shown(survey.leftOut)}, in folders of tests and clients`)
  if (survey.madeDocuments.length > 0) lines.push(`  Made        ${shown(survey.madeDocuments)}, which Git ignores`)
  lines.push(`  Git         ${git ? describeGit(git) : 'not a Git repository'}`)
  lines.push(...describeCi(survey, toShown).map((line) => `  ${line}`))
  return `${lines.join('\n')}\n\n`
}

function describeGit({ branch, uncommitted }: NonNullable<RepositorySurvey['git']>): string {
  const place = branch === undefined ? 'no branch checked out' : `branch ${escapeText(branch)}`
  return uncommitted.size === 0 ? place : `${place}, ${formatCount(uncommitted.size, 'file')} not committed`
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
  { ci, docsDirectories, remoteDocuments }: RepositorySurvey,
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
  if (host === 'bitbucket' && task === 'check' && docsDirectories.length === 0) {
    steps.push(
      `Bitbucket publishes no sites, so the pipeline only checks. To publish, add a step that builds and uploads one: ${ciGuide}`,
    )
  }
  if (remoteDocuments.length > 0 && task !== 'check' && host !== 'github') {
    const where = host === 'gitlab' ? 'Build → Pipeline schedules' : 'Pipelines → Schedules'
    steps.push(`The documents at URLs change without a commit. To follow them, add a schedule for the default branch: ${where}`)
  }
  if (host === 'github' && releaseCommit === undefined) {
    steps.push(
      'This is no released version, so the workflows use the branch main of the Action. Replace `main` with a commit SHA to pin it',
    )
  }
  return steps
}

/** Explains a docs.json without OpenAPI documents, for which there is nothing to set up. */
export function describeNoDocuments({ docsDirectories, swaggerDocuments }: RepositorySurvey, { toShown }: Workspace): string {
  const path = escapeText(toShown(joinPath(docsDirectories[0] ?? '', docsConfigNames[0])))
  const conversion = describeConversion(swaggerDocuments.map(toShown))
  const first = conversion === undefined ? 'Add an OpenAPI document' : `${escapeText(conversion)}. Then`
  const division = '`{ "tab": "API Reference", "openapi": "openapi.yaml" }`'
  return (
    'Nothing to set up: there is no OpenAPI document here, and no docs.json names one\n' +
    `  ${first}${conversion === undefined ? ',' : ''} name it in ${path} with a division such as ${division}, and run \`openapi-pages init\` again\n`
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

export function describeSkipped(
  skipped: readonly { readonly directory: string; readonly pageCount: number }[],
  { toShown }: Workspace,
): string[] {
  return skipped.map(({ directory, pageCount }) => {
    const at = directory === '' || directory === '.' ? '' : ` ${quoteForShell(toShown(directory))}`
    return `${formatCount(pageCount, 'API page')} cannot be recorded. To see why, run \`openapi-pages adopt${at}\``
  })
}

/** The next commands. */
export function describeNext(
  survey: RepositorySurvey,
  plan: readonly PlannedFile[],
  { toShown }: Workspace,
  palette: Palette,
): string {
  const [docsDirectory = survey.root] = survey.docsDirectories
  const folder = toShown(docsDirectory)
  const at = folder === '' || folder === '.' ? '' : ` ${quoteForShell(folder)}`
  const paths = [...plan.map(({ path }) => path), ...listUncommitted(survey)].map((path) =>
    path.replace(/^\.github\/.*/, '.github'),
  )
  const added = [...new Set(paths.map((path) => quoteForShell(toShown(path))))].join(' ')
  const last =
    survey.git !== undefined && paths.length > 0
      ? [`git add ${added} && git commit -m 'Set up openapi-pages'`, 'Commit the setup']
      : [`openapi-pages build${at}`, 'Build the site']
  return formatNext([[`openapi-pages preview${at}`, 'Preview the site'], last], palette)
}

/** The files that the jobs need and that are not committed: documents, the configuration of each docs directory, and the jobs. */
export function listUncommitted({ root, git, ci, documents, docsDirectories }: RepositorySurvey): readonly string[] {
  const names = [...docsConfigNames, ...configFileNames, lockFileName, baselineName]
  const paths = [
    ci.existing ?? '',
    ...documents,
    ...[root, ...docsDirectories].flatMap((folder) => names.map((name) => joinPath(folder, name))),
  ]
  return paths.filter((path) => git?.uncommitted.has(path))
}

/** Names the files that a failed proof did not have, if there are any. */
export function describeLeftOut(survey: RepositorySurvey, { toShown }: Workspace): string {
  const added = listUncommitted(survey)
  const paths = [...(survey.git?.uncommitted ?? [])].filter((path) => !added.includes(path))
  const names = listFirst(paths, 3, (path) => escapeText(toShown(path)))
  return paths.length === 0 ? '' : `The clone has only what is committed. Commit these files if a job needs them: ${names}\n`
}

/** Lists commands with what they are for. */
function formatNext(commands: readonly (readonly string[])[], palette: Palette): string {
  const width = Math.max(...commands.map(([command = '']) => command.length))
  const lines = commands.map(([command = '', why = '']) => `  ${escapeText(command).padEnd(width)}   ${palette.dim(why)}\n`)
  return `\n${palette.strong('Next')}\n${lines.join('')}`
}
