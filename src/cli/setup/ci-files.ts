import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installCommand, packageVersion } from '../../docs/config/config-files.ts'
import { toSafeJson } from '../../text/plain/escape-text.ts'
import { quoteForShell } from '../base/command-line.ts'

/** The hosts of repositories whose CI system `init` can set up. */
export const hosts = ['github', 'gitlab', 'bitbucket'] as const
export type Host = (typeof hosts)[number]

export const hostNames: { readonly [host in Host]: string } = { github: 'GitHub', gitlab: 'GitLab', bitbucket: 'Bitbucket' }

/** What the CI system does after the setup, besides checking proposed changes. */
export type CiTask = 'pages' | 'site' | 'check' | 'none'

/** Files whose changes start a job: one file, or all files below a folder, of one extension or any. Relative to the repository. */
export type Trigger = { readonly file: string } | { readonly folder: string; readonly extension?: string }

/** The facts that the text of a CI file depends on. */
export interface CiPlace {
  /** The default branch. */
  readonly branch: string
  /** The docs directory, or a folder with several: relative to the repository, `''` for its root. */
  readonly folder: string
  /** Empty if all changes start a job. */
  readonly triggers: readonly Trigger[]
  /** The command that makes documents that Git ignores. */
  readonly build: string | undefined
  /** Whether documents are at URLs, which change without a commit. */
  readonly isScheduled: boolean
  /** The commit of the release that runs this setup. Absent if this is no release. */
  readonly releaseCommit: string | undefined
  /** The `stages` of an existing pipeline of GitLab; absent for the default ones. */
  readonly stages?: readonly string[] | undefined
}

/** A file of a CI system with its purpose, which completes `this file …`. */
export interface CiFile {
  /** For GitHub the name of the workflow, else the path. */
  readonly name: string
  readonly why: string
  readonly content: string
}

/** The files of a task. All of them are examples of this project, adapted to the repository. */
export function renderCiFiles(host: Host, task: CiTask, place: CiPlace): readonly CiFile[] {
  if (task === 'none') return []
  if (host === 'github') return renderWorkflows(task, place)
  if (host === 'gitlab') return [renderGitlab(task, place)]
  return [renderBitbucket(task, place)]
}

/** The file of another pipeline that can include the jobs. */
export const includedGitlabPath = '.gitlab/openapi-pages.yml'

const checks = 'checks the documents of'

function renderWorkflows(task: Exclude<CiTask, 'none'>, place: CiPlace): readonly CiFile[] {
  const check = {
    name: 'api-check.yml',
    why: `${checks} pull requests`,
    content: readExample('workflows/pull-request.yml', place),
  }
  const at = place.isScheduled ? 'each push, and daily' : 'each push'
  const files: { readonly [task in Exclude<CiTask, 'none'>]: readonly CiFile[] } = {
    check: [check],
    pages: [
      { name: 'api-pages.yml', why: `commits updated API pages on ${at}`, content: readExample('workflows/push.yml', place) },
      check,
    ],
    site: [
      {
        name: 'github-pages.yml',
        why: `publishes the site on GitHub Pages on ${at}`,
        content: readExample('workflows/github-pages.yml', place),
      },
      check,
    ],
  }
  return files[task].map((file) => ({ ...file, content: adaptWorkflow(file.content, file.name, place) }))
}

function adaptWorkflow(text: string, name: string, place: CiPlace): string {
  const { branch, folder, triggers, build, isScheduled, releaseCommit } = place
  const patterns = [...triggers, { file: `.github/workflows/${name}` }].map((one) => toPattern(one, '**'))
  const paths = triggers.length === 0 ? '' : toList('    paths:', patterns, 6)
  const note = '    # If a branch rule requires this check, remove `paths`: GitHub waits for checks that it skips.\n'
  const schedule = isScheduled ? "  schedule:\n    - cron: '17 5 * * *'\n" : ''
  const manual = schedule === '' || text.includes('  workflow_dispatch:\n') ? '' : '  workflow_dispatch:\n'
  const pinned = releaseCommit === undefined ? 'main' : `${releaseCommit} # v${packageVersion}`
  return (
    fillCommands(text, place, withoutExpressions)
      // Only readers of the example have to replace the directory.
      .replace(/^# `build \.`[\s\S]*?(?=^name:)/m, '')
      .replace(
        /^( {4}branches: )\[main\]\n/m,
        (_match, start: string) => `${start}[${quote(toLiteral(branch))}]\n${paths}${schedule}${manual}`,
      )
      .replace(/^ {2}pull_request:\n/m, (line) => `${line}${paths === '' ? '' : `${note}${paths}`}`)
      .replace(/^( *)- (?=uses: openapi-pages\/|run: openapi-pages )/m, (start, indent: string) =>
        build === undefined ? start : `${indent}- run: ${quote(build)}\n${start}`,
      )
      .replace(/^( *)(- uses: openapi-pages\/openapi-pages@)main\n(?: *with:\n)?/m, (match, indent: string, uses: string) => {
        const hasInputs = match.endsWith('with:\n') || folder !== ''
        const directory = folder === '' ? '' : `${indent}    working-directory: ${quote(withoutExpressions(folder))}\n`
        return `${indent}${uses}${pinned}\n${hasInputs ? `${indent}  with:\n` : ''}${directory}`
      })
  )
}

function renderGitlab(task: Exclude<CiTask, 'none'>, place: CiPlace): CiFile {
  const { folder, triggers, build, stages } = place
  const isIncluded = stages !== undefined
  const name = isIncluded ? includedGitlabPath : '.gitlab-ci.yml'
  const [check = '', commit = ''] = splitJobs(readExample('ci/gitlab.yml', place))
  const [pages = ''] = splitJobs(readExample('ci/gitlab-pages.yml', place))
  const jobs = { check: [check], pages: [check, commit], site: [check, pages] }[task]
  const why = {
    check: `${checks} merge requests`,
    pages: `${checks} merge requests, and commits updated API pages`,
    site: `${checks} merge requests, and publishes the site on GitLab Pages`,
  }[task]
  const patterns = [...triggers, { file: name }].map((one) => toPattern(one, '**/*'))
  const changes = triggers.length === 0 ? '' : toList('      changes:', patterns, 8)
  const content = jobs
    .join('\n')
    .replaceAll(/^ {2}stage: (\w+)$/gm, (_match, wanted: 'test' | 'deploy') => `  stage: ${quote(chooseStage(wanted, stages))}`)
    .replaceAll(/^ {4}DOCS: \.$/gm, () => renderVariable(folder))
    .replaceAll(/^ {4}- if: .*\n/gm, (line) => `${line}${changes}`)
    .replaceAll(/^ {2}script:\n/gm, (line) => (build === undefined ? line : `    - ${quote(build)}\n${line}`))
  const header = isIncluded ? '# Included by .gitlab-ci.yml.\n' : ''
  return { name, why, content: `${header}${content}` }
}

/** The variable with the directory, as a value that GitLab does not search for other variables. */
function renderVariable(folder: string): string {
  const value = quote(folder.startsWith('-') ? `./${folder}` : folder || '.')
  return /[$%]/.test(folder) ? `    DOCS:\n      value: ${value}\n      expand: false` : `    DOCS: ${value}`
}

/** The stage of a job: the usual one, or else the first or last one of the pipeline. */
function chooseStage(wanted: 'test' | 'deploy', stages: readonly string[] = [wanted]): string {
  return stages.includes(wanted) ? wanted : (stages.at(wanted === 'test' ? 0 : -1) ?? wanted)
}

/** The stages of the jobs in the included file. */
export function listUsedStages(task: CiTask, stages: readonly string[]): readonly string[] {
  const wanted = task === 'check' ? (['test'] as const) : (['test', 'deploy'] as const)
  return [...new Set(wanted.map((one) => chooseStage(one, stages)))]
}

/** The jobs of a pipeline with the comments above them, without the header of the file. */
function splitJobs(text: string): readonly string[] {
  const jobs: string[][] = []
  let head: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith(' ')) {
      if (head.length > 0) jobs.push(head)
      head = []
      jobs.at(-1)?.push(line)
    } else if (/^(?:#|[\w-]+:$)/.test(line)) head.push(line)
    else head = []
  }
  const [first = '', ...others] = jobs.map((lines) => `${lines.join('\n')}\n`)
  return [first.replace(/^(?:#.*\n)+/, ''), ...others]
}

function renderBitbucket(task: Exclude<CiTask, 'none'>, place: CiPlace): CiFile {
  const { branch, triggers, build } = place
  const name = 'bitbucket-pipelines.yml'
  const commits = task === 'pages'
  // Bitbucket does not document whether `a/**/*.yaml` matches `a/b.yaml`.
  const patterns = [...triggers, { file: name }].flatMap((one) => [
    ...new Set([toPattern(one, '**', '*'), toPattern(one, '**', '**/*')]),
  ])
  const condition = `          condition:\n            changesets:\n${toList('              includePaths:', patterns, 16)}`
  const example = fillCommands(readExample('ci/bitbucket-pipelines.yml', place), place)
  const content = (commits ? example : example.replace(/^ {2}branches:\n[\s\S]*/m, ''))
    .replace(/^ {4}main:\n/m, () => `    ${quote(toLiteral(branch))}:\n`)
    .replaceAll(/^ {10}script:\n/gm, (line) => (build === undefined ? line : `${line}            - ${quote(build)}\n`))
    .replaceAll(/^ {10}name: .*\n/gm, (line) => (triggers.length === 0 ? line : `${line}${condition}`))
  return { name, content, why: `${checks} pull requests${commits ? ', and commits updated API pages' : ''}` }
}

/** Reads a file of `examples`: next to the bundle, or in the repository when running from source. A release installs itself. */
function readExample(name: string, { releaseCommit }: CiPlace): string {
  const here = fileURLToPath(import.meta.url)
  const bundled = join(here, '../examples', name)
  const text = readFileSync(existsSync(bundled) ? bundled : join(here, '../../../../examples', name), 'utf8')
  return releaseCommit === undefined
    ? text
    : text.replaceAll(installCommand, `npm install --global openapi-pages@${packageVersion}`)
}

/** Names the directory in the lines of an example that a shell runs. @param guard for the CI system. */
function fillCommands(text: string, { folder }: CiPlace, guard = (line: string) => line): string {
  const argument = quoteForShell(folder || '.')
  const line = /^( *- (?:run: )?)(openapi-pages \w+) \.( .*)$/gm
  return text.replaceAll(line, (_match, start: string, command: string, options: string) => {
    const filled = `${command} ${argument}${options}`
    return `${start}${/^[\w./-]+$/.test(argument) ? filled : quote(guard(filled))}`
  })
}

/** A text in which GitHub finds no expression, except one for the `$` that would begin one. */
function withoutExpressions(text: string): string {
  return text.replaceAll(/\$(?=\{\{)/g, () => `\${{ '$' }}`)
}

/** A glob for a name. Each CI system has other special characters and escapes, and all of them have `*`. */
function toLiteral(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_./ @=~#,-]+/gu, '*')
}

/** A glob of a CI system. Each has its own way to write all files below a folder. */
function toPattern(trigger: Trigger, below: string, belowWithExtension = below): string {
  if ('file' in trigger) return toLiteral(trigger.file)
  const start = trigger.folder === '' ? '' : `${toLiteral(trigger.folder)}/`
  return trigger.extension === undefined ? `${start}${below}` : `${start}${belowWithExtension}.${trigger.extension}`
}

function toList(key: string, values: readonly string[], indent: number): string {
  return `${key}\n${values.map((value) => `${' '.repeat(indent)}- ${quote(value)}\n`).join('')}`
}

/** A plain scalar of YAML where every version of YAML reads a string, else one in quotes. */
function quote(text: string): string {
  const isPlain = /^\.?[a-z][\w./-]*$|^\.$/i.test(text) && !/^(?:\.inf|\.nan|true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : toSafeJson(text)
}
