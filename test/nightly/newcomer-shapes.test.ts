import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder, pullRequestFrom } from '../support/action-harness.ts'
import { compileCache } from '../support/compile-cache.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'
import { eventsOf, readWorkflow, runWorkflow } from '../support/run-workflow.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// `init` in repositories of several shapes. A newcomer follows what it prints literally, commits, and pushes to a real remote. Then each job that was
// written runs in a fresh clone, as the CI system of the host runs it, and the pages have to be those of the documents.

type Files = Readonly<Record<string, string>>

/** See the table. */
interface Shape {
  readonly files: Files
  readonly loose?: Files
  readonly remote?: string
  /** A command is one that `init` has printed (`run`), or one that it describes (`type`). */
  readonly steps: readonly { readonly says: string; readonly write?: Files; readonly run?: string; readonly type?: string }[]
  /** What makes the document in a clone. */
  readonly build?: string
  readonly jobs: readonly string[]
  readonly warning?: string
  readonly pages: readonly string[]
}

const table = readFileSync(join(projectFolder, 'test/fixtures/newcomers/shapes.yaml'), 'utf8')
const { shapes }: { readonly shapes: Readonly<Record<string, Shape>> } = parse(table)

/** The commands of openapi-pages as npm installs them, without the registry. */
const programs = {
  'openapi-pages': `exec '${process.execPath}' '${join(projectFolder, 'bin/openapi-pages.cjs')}' "$@"`,
  npm: 'exit 0',
}

function write(folder: string, files: Files = {}): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A bare repository with the files of a shape on `main`, and what a newcomer and CI systems need to work with it. */
function makePlace({ files, loose, remote = 'git@gitlab.com:acme/pets.git', warning = '✔ ' }: Shape) {
  const folder = makeTemporaryFolder({ source: '' })
  const [bare, bin] = [join(folder, 'remote.git'), join(folder, 'bin')]
  mkdirSync(bin)
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  const [, host = ''] = /([\w.]+)[:/]acme/.exec(remote) ?? []
  const withToken = `https://openapi-pages:token@${host}/acme/pets.git`
  const gitConfig = join(folder, 'gitconfig')
  writeFileSync(
    gitConfig,
    `[url "${bare}"]\n  insteadOf = ${remote}\n  insteadOf = ${withToken}\n[user]\n  name = Pat\n  email = pat@example.com\n`,
  )
  const env = {
    ...compileCache,
    HOME: folder,
    PATH: `${bin}:${process.env['PATH']}`,
    GIT_CONFIG_GLOBAL: gitConfig,
    GIT_CONFIG_NOSYSTEM: '1',
  }
  /** Runs a script as a shell of CI systems does. The last line of the output is the exit code. */
  const run = (script: string, cwd: string, more: NodeJS.ProcessEnv = {}) =>
    runProgram('bash', ['-c', `(set -e\n${script}\n) 2>&1; echo "exit code $?"`], { cwd, env: { ...env, ...more } }).toString()
  /** Expects that a script succeeds, and that openapi-pages ends with a green line, or with the warning that is known. */
  const runGreen = (script: string, cwd: string, more?: NodeJS.ProcessEnv) => {
    const lines = /^openapi-pages /m.test(script) ? `${warning}.*\\n(?:Committed \\w+ to main\\n)?` : ''
    expect(run(script, cwd, more), script).toMatch(new RegExp(`${lines}exit code 0\\n$`))
  }
  const clone = (name: string) => {
    run(`git clone --quiet ${remote} ${name}`, folder)
    return join(folder, name)
  }
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  const newcomer = clone('newcomer')
  write(newcomer, files)
  run('git checkout --quiet -b main; git add --all; git commit --quiet --message=First; git push --quiet origin main', newcomer)
  write(newcomer, loose)
  return { folder, bare, host, newcomer, run, runGreen, clone }
}

type Place = ReturnType<typeof makePlace>

test.each(Object.entries(shapes))('sets up %s', async (_, shape) => {
  const place = makePlace(shape)
  const { newcomer, run } = place
  if (shape.remote === undefined) git(newcomer, 'remote', 'remove', 'origin')
  const before = readTree(newcomer)
  let output = run('openapi-pages init', newcomer)
  expect(readTree(newcomer)).toEqual(before)
  let commit = ''
  for (const step of shape.steps) {
    expect(output).toContain(step.says)
    write(newcomer, step.write)
    if (step.run !== undefined) expect(output).toContain(`\`${step.run}\``)
    const command = step.run ?? step.type
    if (command === undefined) continue
    output = run(command, newcomer)
    commit = /^ {2}(git add .+? && git commit -m '.*?')/m.exec(output)?.[1] ?? commit
  }
  expect(output).toMatch(/^✔ \d+ files? written$/m)
  // What the newcomer was told to edit.
  const push = `${commit}\ngit commit --quiet --all --allow-empty --message=Edit\ngit push --quiet ${place.bare} HEAD:main`
  expect(run(push, newcomer)).toMatch(/^exit code 0$/m)

  const jobs = place.host === 'github.com' ? await runWorkflows(place, shape) : runPipelines(place, shape)
  const clone = place.clone('clone')
  const sites = jobs.filter((folder) => existsSync(folder))
  for (const folder of sites.length > 0 ? sites : [clone]) expect(listTitles(folder)).toEqual(shape.pages)
  for (const command of ['check', 'ci'])
    place.runGreen(`${shape.build ?? 'true'}\nopenapi-pages ${command}`, place.clone(command))
})

/** The titles of the operations of a site, or of committed pages. */
function listTitles(folder: string): readonly string[] {
  const texts = Object.entries(readTree(folder)).flatMap(([path, text]) => (/\.(?:mdx|openapi\.json)$/.test(path) ? text : []))
  const found = texts.map((text) => /^title: '?(.*?)'?\nopenapi: |"summary": ?"(.*?)"/m.exec(text) ?? [])
  return found.flatMap(([, ofPage, ofSite]) => ofPage ?? ofSite ?? []).sort()
}

/** Runs the workflows for a push, then those for a pull request. Returns the folders of their sites. */
async function runWorkflows({ folder, bare, runGreen, clone }: Place, { jobs }: Shape): Promise<readonly string[]> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/pets', { bare })
  const written = clone('written')
  const sites: string[] = []
  for (const path of jobs) {
    const workflow = readWorkflow(readFileSync(join(written, path), 'utf8'))
    git(bare, 'update-ref', 'refs/pull/1/merge', 'main')
    const sha = git(bare, 'rev-parse', 'main')
    const payload = { ref: 'refs/heads/main', repository: { full_name: 'acme/pets', default_branch: 'main' } }
    const push = { name: 'push', ref: 'refs/heads/main', payload }
    const event = { ...(eventsOf(workflow).includes('push') ? push : pullRequestFrom('topic', 'acme/pets')), sha }
    for (const job of await runWorkflow(workflow, { github, repository, folder, event, runScript: runGreen })) {
      expect(job).toMatchObject({ failed: false })
      sites.push(join(job.workspace, 'site'))
    }
  }
  return sites
}

/** A job of GitLab, or a step of Bitbucket. */
interface Job {
  readonly variables?: Readonly<Record<string, string>>
  readonly before_script?: readonly string[]
  readonly script: readonly string[]
}

/** Runs the jobs of pipelines. Returns the folders of their sites. */
function runPipelines({ runGreen, clone, host }: Place, { jobs }: Shape): readonly string[] {
  const written = clone('written')
  const all = jobs.flatMap((path): readonly Job[] => {
    const { pipelines, ...others } = parse(readFileSync(join(written, path), 'utf8'))
    const steps = Object.values<{ [branch: string]: { step: Job }[] }>(pipelines ?? {}).flatMap((branches) =>
      Object.values(branches),
    )
    return [...steps.flat().map(({ step }) => step), ...Object.values<Job>(others)]
  })
  return all
    .filter((job) => job.script?.some((line) => line.includes('openapi-pages')))
    .map((job, index) => {
      const checkout = clone(`job-${index}`)
      const env = {
        CI_COMMIT_BRANCH: 'main',
        CI_SERVER_HOST: host,
        CI_PROJECT_PATH: 'acme/pets',
        OPENAPI_PAGES_TOKEN: 'token',
        BITBUCKET_BRANCH: 'main',
        CI_PAGES_URL: 'https://acme.example/pets',
      }
      runGreen([...(job.before_script ?? []), ...job.script].join('\n'), checkout, { ...env, ...job.variables })
      return join(checkout, 'public')
    })
}
