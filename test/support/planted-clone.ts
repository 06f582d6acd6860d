import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitHistory, makeHistory } from './git-history.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { tinyDocument } from './tiny-docs.ts'

/** A repository in which git would run commands that its files plant. */
export interface PlantedClone {
  readonly folder: string
  readonly history: GitHistory
  /** Has a script for each planted command, and a file for each that ran. */
  readonly marks: string
  /** The names of the planted commands that ran. */
  readonly ran: () => readonly string[]
}

/** The settings that run a command while git reads the work tree, by name. `COMMAND` is replaced. */
const readingPlants: Readonly<Record<string, readonly (readonly [key: string, value: string])[]>> = {
  'core.fsmonitor': [['core.fsmonitor', 'COMMAND']],
  'filter.clean': [['filter.a.clean', 'COMMAND']],
  'filter.process': [['filter.b.process', 'COMMAND']],
  'diff.external': [['diff.external', 'COMMAND']],
  'diff.command': [['diff.c.command', 'COMMAND']],
  'diff.textconv': [['diff.d.textconv', 'COMMAND']],
  'gpg.program': [
    ['log.showSignature', 'true'],
    ['gpg.program', 'COMMAND'],
  ],
  'core.pager': [
    ['core.pager', 'COMMAND'],
    ['pager.log', 'COMMAND'],
  ],
  'core.editor': [
    ['core.editor', 'COMMAND'],
    ['sequence.editor', 'COMMAND'],
  ],
  'credential.helper': [['credential.helper', '!COMMAND']],
  'core.askPass': [['core.askPass', 'COMMAND']],
  'core.gitProxy': [['core.gitProxy', 'COMMAND']],
  'core.alternateRefsCommand': [['core.alternateRefsCommand', 'COMMAND']],
  'uploadpack.packObjectsHook': [['uploadpack.packObjectsHook', 'COMMAND']],
  'gc.recentObjectsHook': [['gc.recentObjectsHook', 'COMMAND']],
}

/** The settings that run a command when git fetches a missing object from the remote `evil`. */
export const fetchingPlants = {
  ext: [
    ['protocol.ext.allow', 'always'],
    ['remote.evil.url', 'ext::COMMAND'],
  ],
  'core.sshCommand': [
    ['core.sshCommand', 'COMMAND'],
    ['remote.evil.url', 'ssh://git@localhost/evil.git'],
  ],
  'remote.uploadpack': [
    ['remote.evil.uploadpack', 'COMMAND'],
    ['remote.evil.url', '/nonexistent.git'],
  ],
  'url.insteadOf': [
    ['protocol.ext.allow', 'always'],
    ['remote.evil.url', 'https://github.com/acme/docs.git'],
    ['url.ext::COMMAND #.insteadOf', 'https://github.com/'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>

const docs = {
  'docs/docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
  'docs/openapi.json': tinyDocument('List pets'),
  'docs/module/a.txt': 'a',
}

const attributes = 'openapi.json filter=a\ndocs.json filter=b\na.txt diff=c\nb.txt diff=d\n'

/** Commits docs, and plants a command for each setting in `.git/config`, in a file that it includes, and in hooks. */
export function plantInConfig(): PlantedClone {
  const clone = makeClone()
  const { folder, history } = clone
  history.commit({ ...docs, 'docs/b.txt': 'b', '.gitattributes': attributes })
  history.tag('v1.0.0')
  history.commit({ 'docs/openapi.json': tinyDocument('List pets', 'Get pet') })
  plantInSubmodule(clone)
  signNewest(history)
  const included = join(folder, '.git/included')
  history.git('config', 'include.path', included)
  for (const [name, settings] of Object.entries(readingPlants)) {
    for (const [key, value] of settings) {
      history.git('config', '--file', included, key, value.replace('COMMAND', plant(clone, name)))
    }
  }
  const hooks = ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction', 'pre-push', 'pre-auto-gc']
  for (const hook of hooks) {
    const path = join(folder, '.git/hooks', hook)
    mkdirSync(join(folder, '.git/hooks'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${plant(clone, `hook ${hook}`)}\n`)
    chmodSync(path, 0o755)
  }
  // Changed files, so that git reads their content through filters.
  for (const path of ['docs/openapi.json', 'docs/docs.json'] as const) writeFileSync(join(folder, path), `${docs[path]}\n`)
  for (const name of ['module/a.txt', 'b.txt']) writeFileSync(join(folder, 'docs', name), 'changed')
  return clone
}

/** A repository below the work tree, with a command in its own configuration, which `git status` of the outer one visits. */
function plantInSubmodule(clone: PlantedClone): void {
  mkdirSync(join(clone.folder, 'inner'))
  const inner = makeHistory(join(clone.folder, 'inner'))
  const sha = inner.commit({ 'x.txt': 'x', '.gitattributes': '* filter=inner\n' })
  clone.history.git('update-index', '--add', '--cacheinfo', `160000,${sha},inner`)
  clone.history.git('commit', '--quiet', '--message', 'Add a submodule')
  clone.history.git('config', 'submodule.inner.ignore', 'none')
  inner.git('config', 'filter.inner.clean', plant(clone, 'submodule filter'))
  inner.git('config', 'core.fsmonitor', plant(clone, 'submodule fsmonitor'))
  writeFileSync(join(clone.folder, 'inner/x.txt'), 'y')
}

/** Commits docs, and makes the repository a partial clone whose missing objects come from a command. */
export function plantInRemote(name: keyof typeof fetchingPlants): PlantedClone {
  const clone = makeClone()
  const { folder, history } = clone
  history.commit(docs)
  const blob = history.git('rev-parse', 'HEAD:docs/openapi.json')
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
  writePromisor(clone, name, join(folder, '.git/config'))
  return clone
}

/** Commits docs with an embedded bare repository in `docs/`, as a plain clone gets it. */
export function plantInBareRepository(): PlantedClone {
  const clone = makeClone()
  const { folder, history } = clone
  history.commit({
    ...docs,
    'docs/HEAD': 'ref: refs/heads/main\n',
    'docs/objects/info/x': '',
    'docs/refs/heads/main': `${'1'.repeat(40)}\n`,
  })
  writePromisor(clone, 'ext', join(folder, 'docs/config'))
  history.git('config', '--file', join(folder, 'docs/config'), 'core.worktree', '..')
  history.git('config', '--file', join(folder, 'docs/config'), 'core.fsmonitor', plant(clone, 'core.fsmonitor'))
  return clone
}

function writePromisor(clone: PlantedClone, name: keyof typeof fetchingPlants, file: string): void {
  const settings = [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'evil'],
    ['remote.evil.promisor', 'true'],
    ['remote.evil.fetch', '+refs/heads/*:refs/remotes/evil/*'],
    ...fetchingPlants[name],
  ] as const
  for (const [key, value] of settings) {
    const command = plant(clone, name)
    clone.history.git('config', '--file', file, key.replace('COMMAND', command), value.replace('COMMAND', command))
  }
}

/** Gives the newest commit a signature, which git would verify with `gpg.program`. */
function signNewest(history: GitHistory): void {
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n'
  const commit = history.git('cat-file', 'commit', 'HEAD').replace(/^(committer .*\n)/m, `$1${signature}`)
  const file = join(history.folder, '.git/signed')
  writeFileSync(file, `${commit}\n`)
  history.git('update-ref', 'refs/heads/main', history.git('hash-object', '-t', 'commit', '-w', file))
}

function makeClone(): PlantedClone {
  const folder = makeTemporaryFolder()
  const marks = makeTemporaryFolder()
  const ran = () => readdirSync(marks).filter((name) => !name.endsWith('.sh'))
  return { folder, history: makeHistory(folder), marks, ran }
}

/** A program that leaves a mark, and fails. */
function plant({ marks }: PlantedClone, name: string): string {
  const mark = join(marks, name.replaceAll(/[^\w.]/g, '-'))
  writeFileSync(`${mark}.sh`, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`)
  chmodSync(`${mark}.sh`, 0o755)
  return `${mark}.sh`
}
