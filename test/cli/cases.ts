import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { packageVersion } from '../../src/docs/config/config-files.ts'
import { type GitHistory, makeHistory } from '../support/git-history.ts'
import { readTimes, readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const cases = join(import.meta.dirname, '../fixtures/cli')

interface Session {
  readonly case: string
  /** The temporary folder. */
  readonly top: string
  /** Where the next command runs. */
  folder: string
  history?: GitHistory
  /** By name. See `remember`. */
  readonly states: Map<string, { readonly [path: string]: string }>
}

type Step = (session: Session, ...words: string[]) => string | undefined | Promise<string>

/** Paths are relative to the working directory of the session. */
const steps: { readonly [name: string]: Step } = {
  'openapi-pages': (session, ...argv) => runCommand(session, argv),
  append: ({ folder }, path = '', text = '') => void appendFileSync(join(folder, path), text),
  cd: (session, path = '') => {
    session.folder = join(session.folder, path)
    return undefined
  },
  /** Commits all files. */
  commit: (session) => void historyOf(session).commit({}),
  /** Lists how the files differ from those of `remember`. */
  compare: ({ states, top }, name = '') => {
    const state = states.get(name)
    if (!state) throw new Error(`Nothing is remembered as ${name}`)
    const differences = listChanges(state, readTree(top))
    return differences.length === 0 ? '→ no differences\n' : differences.join('')
  },
  git: (session, ...args) => void historyOf(session).git(...args),
  link: ({ folder }, target = '', path = '') => void symlinkSync(target, join(folder, path)),
  move: ({ folder }, from = '', to = '') => void renameSync(join(folder, from), join(folder, to)),
  remember: ({ states, top }, name = '') => void states.set(name, readTree(top)),
  remove: ({ folder }, ...paths) => {
    for (const path of paths) rmSync(join(folder, path), { recursive: true })
    return undefined
  },
  /** Replaces all places of a text. */
  replace: ({ folder }, path = '', from = '', to = '') => {
    const text = readFileSync(join(folder, path), 'utf8')
    if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`)
    writeFileSync(join(folder, path), text.replaceAll(from, to))
    return undefined
  },
  /** Makes the folder a Git repository. `commit` and `git` do so, too. */
  repository: (session) => void historyOf(session),
  show: ({ folder }, ...paths) => paths.map((path) => withLineEnd(readFileSync(join(folder, path), 'utf8'))).join('\n'),
  use: (session, name = '', path = name) =>
    void cpSync(join(session.case, 'more', name), join(session.folder, path), { recursive: true }),
  write: ({ folder }, path = '', text = '') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    return undefined
  },
}

function historyOf(session: Session): GitHistory {
  session.history ??= makeHistory(session.folder)
  return session.history
}

/** Words can begin with variables of the environment, `COLUMNS` makes a terminal, and `< file` is what the command reads. */
async function runCommand(
  { top, folder }: Session,
  argv: readonly string[],
  env: { [name: string]: string } = {},
): Promise<string> {
  const before = readState(top)
  const input = argv.at(-2) === '<' ? readFileSync(join(folder, argv.at(-1) ?? ''), 'utf8') : undefined
  const { COLUMNS, ...others } = env
  const run = await runInFolder(folder, input === undefined ? argv : argv.slice(0, -2), {
    env: others,
    ...(input !== undefined && { input }),
    ...(COLUMNS !== undefined && { columns: Number(COLUMNS) }),
  })
  const after = readState(top)
  const isTouched = (path: string) => before.texts[path] === after.texts[path] && before.times[path] !== after.times[path]
  return [
    withLineEnd(run.stdout),
    run.stderr === '' ? '' : `→ standard error:\n${withLineEnd(run.stderr)}`,
    `→ exit code ${run.exitCode}\n`,
    ...listChanges(before.texts, after.texts),
    ...Object.keys(before.times)
      .filter(isTouched)
      .map((path) => `→ writes ${path} again\n`),
  ].join('')
}

const readState = (folder: string) => ({ texts: readTree(folder), times: readTimes(folder) })

function listChanges(before: { readonly [path: string]: string }, after: { readonly [path: string]: string }): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => `→ ${before[path] === undefined ? 'adds' : after[path] === undefined ? 'removes' : 'changes'} ${path}\n`)
}

const withLineEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}→ without a line end\n`)

/** Words in single quotes are as they are, those in double quotes have escapes as in JSON. */
function readWords(line: string): string[] {
  return [...line.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) =>
      quoted.startsWith('"') ? JSON.parse(quoted) : quoted.slice(1, -1),
    ),
  )
}

/** What a terminal would obey, as one can see it in an editor. */
const showControls = (text: string) =>
  text
    .replaceAll(/[\0-\x08\x0b-\x1f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replaceAll(
      /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
      (control) => `<U+${control.charCodeAt(0).toString(16)}>`,
    )

async function runCases(folder: string): Promise<string> {
  let session: Session | undefined
  let text = ''
  for (const line of readFileSync(join(folder, 'command'), 'utf8').split('\n').filter(Boolean)) {
    if (!session || line.startsWith('#')) {
      const top = makeTemporaryFolder()
      if (existsSync(join(folder, 'files'))) cpSync(join(folder, 'files'), top, { recursive: true })
      session = { case: folder, top, folder: top, states: new Map() }
    }
    if (line.startsWith('#')) {
      text += `${text === '' ? '' : '\n'}${line}\n`
      continue
    }
    const { top } = session
    const words = readWords(line).map((word) => word.replaceAll('$FOLDER', () => top))
    const at = words.findIndex((word) => !/^\w+=/.test(word))
    const [name = '', ...rest] = words.slice(at)
    const env = Object.fromEntries(
      words.slice(0, at).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
    )
    const step = steps[name]
    if (!step) throw new Error(`Unknown step: ${line}`)
    const printed = at > 0 ? await runCommand(session, rest, env) : await step(session, ...rest)
    text += `$ ${line}\n${printed ?? ''}`
    text = text.replaceAll(top, '<folder>')
  }
  return (
    showControls(text)
      .replaceAll(`date: ${new Date().toISOString().slice(0, 10)}`, 'date: <today>')
      .replaceAll(`"semanticVersion": "${packageVersion}"`, '"semanticVersion": "<version>"')
      // Until there is a release.
      .replaceAll(/^ {2}This is no released version.*\n/gm, '')
      // Sizes and times of a build.
      .replaceAll(/(?<=pages? \(.* in \.\.\/site: ).*/g, '…')
      // Texts and styles that other tests check.
      .replaceAll(/(?<="help": )\{\n.*\n.*\n *\}/g, '{…}')
      .replaceAll(/(?<=<style>).*?(?=<\/style>)/gs, '…')
  )
}

/**
 * Runs the cases of a subject. Each folder in `test/fixtures/cli/<subject>` has cases that share their input:
 * - `command`: lines as in a shell, in the language of {@link steps}. A line `# title` begins a case, in a new folder.
 * - `files`: what the new folder contains.
 * - `more`: what `use` copies from.
 * - `expected`: what each command prints, its exit code, and which files it writes. `vitest -u` updates it. Review the changes.
 */
export function testCases(subject: string): void {
  test.each(readdirSync(join(cases, subject)))(`cases of ${subject}: %s`, async (name) => {
    const folder = join(cases, subject, name)
    await expect(await runCases(folder)).toMatchFileSnapshot(join(folder, 'expected'))
  })
}
