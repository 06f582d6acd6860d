import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { manifestName } from '../../src/files/files.ts'
import { makeHistory } from './git-history.ts'
import { nameArbitrary } from './hostile-names.ts'
import { fc } from './properties.ts'
import { tinyDocument } from './tiny-docs.ts'

/** An untrusted clone, as data. `HOME` in a string is a folder of the user, and `URL` is a server on this machine. */
export interface HostileClone {
  /** Also `.git/…`, which an archive can contain. Not written where another file is in the way. */
  readonly files: { readonly [path: string]: string }
  readonly links: readonly (readonly [path: string, target: string])[]
  /** Keys and values of `.git/config`. */
  readonly settings: readonly (readonly [key: string, value: string])[]
  /** Whether `.git` is a file that names a folder elsewhere. */
  readonly hasGitFile: boolean
}

/** The content of the user's files. */
const canary = 'mine\n'

/** Names of a file that is not the clone's, or that the user did not name. */
const target = fc.oneof(
  { weight: 3, arbitrary: fc.nat(3).map((depth) => `${'../'.repeat(depth)}home/.bashrc`) },
  fc.constantFrom('HOME/.bashrc', 'HOME/new', 'HOME', '~/.bashrc', 'file://HOME/.bashrc', '../canary', '..', '.', '/'),
  fc.constantFrom('.git/config', '../.git/config', '.git/hooks/post-checkout', '.git/HEAD', 'a/../.git/HEAD', '.git'),
  fc.constantFrom('URL/a.json', 'https:URL/a.json', 'http:/URL', 'docs.json', 'openapi.json', 'site/index.html'),
  nameArbitrary,
)

const folder = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', 'docs') },
  fc.constantFrom('-oHOME/.bashrc', '--output=HOME/.bashrc', '--baseline=HOME/.bashrc', '--allow-http', '-', 'http:/URL'),
  nameArbitrary,
  fc.tuple(nameArbitrary, nameArbitrary).map((names) => names.join('/')),
)

const documentName = fc.oneof(
  fc.constant('openapi.json'),
  nameArbitrary.map((name) => `${name}.json`),
)

const settingNames = ['baseline', 'rulesets', 'sources', 'site', 'update', 'changes', 'directory'] as const
const settings = fc.dictionary(
  fc.constantFrom(...settingNames),
  fc.oneof(
    target,
    target.map((path) => [path]),
    target.map((path) => ({ base: path, editUrl: path, to: path, path, repository: path, groups: { [path]: path } })),
  ),
)

const linkNames = [
  'site',
  'docs',
  'openapi-pages.config.yaml',
  'openapi-baseline.json',
  'openapi-pages.lock.json',
  '.github',
] as const
const moreLinkNames = [
  '.gitlab-ci.yml',
  '.openapi-pages-cache',
  'bundled.json',
  'api-reference',
  'docs.json',
  'site/.openapi-pages',
] as const
const command = 'touch HOME/ran'
const gitSetting = fc.constantFrom(
  ['core.fsmonitor', command],
  ['core.sshCommand', command],
  ['core.pager', command],
  ['core.hooksPath', 'HOME'],
  ['core.worktree', 'HOME'],
  ['core.alternateRefsCommand', command],
  ['diff.external', command],
  ['filter.a.clean', command],
  ['filter.a.smudge', command],
  ['uploadpack.packObjectsHook', command],
  ['include.path', 'HOME/.gitconfig'],
  ['extensions.partialClone', 'origin'],
  ['alias.clone', `!${command}`],
  ['remote.origin.url', 'git@github.com:acme/docs.git'],
  ['remote.origin.url', 'https://gitlab.com/acme/docs.git'],
  ['remote.origin.url', 'git@bitbucket.org:acme/docs.git'],
  ['remote.origin.url', `ext::sh -c ${command}`],
  ['remote.origin.url', '--upload-pack=touch HOME/ran'],
  ['remote.-x.url', 'URL'],
) as fc.Arbitrary<readonly [string, string]>

const hash = createHash('sha256').update(canary).digest('hex')
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** Files with which earlier runs could have told what they wrote, so that the next one removes it. */
const planted = fc.record({
  lock: fc.option(target),
  record: fc.option(target),
  manifest: fc.option(target),
  hook: fc.boolean(),
})

/** Random clones. */
export const cloneArbitrary: fc.Arbitrary<HostileClone> = fc
  .record({
    folders: fc.uniqueArray(folder, { minLength: 1, maxLength: 2 }),
    name: documentName,
    openapi: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, target),
    directory: fc.option(target, { nil: undefined }),
    page: fc.option(target, { nil: undefined }),
    reference: fc.option(target, { nil: undefined }),
    isFaulty: fc.boolean(),
    settings,
    planted,
    links: fc.array(fc.tuple(fc.constantFrom(...linkNames, ...moreLinkNames), target), { maxLength: 2 }),
    gitSettings: fc.array(gitSetting, { maxLength: 3 }),
    hasGitFile: fc.boolean(),
  })
  .map(({ folders, name, openapi, directory, page, reference, isFaulty, planted: { lock, record, manifest, hook }, ...more }) => {
    const files: { [path: string]: string } = { '.gitattributes': '* filter=a\n' }
    const text = tinyDocument('List pets', 'Get pet')
    const document = isFaulty ? text.replace('"summary"', '"sumary"') : text
    const source = openapi ?? name
    const tab = { tab: 'API', openapi: directory === undefined ? source : { source, directory } }
    const others = page === undefined ? [] : [{ tab: 'B', pages: [page], icon: page, href: page }]
    const docsConfig = { name: 'A', logo: page, favicon: page, navigation: { tabs: [tab, ...others] }, redirects: [] }
    for (const path of folders.map((each) => (each === '' ? '' : `${each}/`))) {
      files[`${path}${name}`] =
        reference === undefined ? document : document.replace('{', `{"x-a": {"$ref": ${JSON.stringify(reference)}}, `)
      files[`${path}docs.json`] = json(docsConfig)
      files[`${path}index.mdx`] = `---\nopenapi: ${JSON.stringify(`${source} GET /list-pets`)}\n---\n![x](${page ?? 'x'})\n`
      if (Object.keys(more.settings).length > 0)
        files[`${path}openapi-pages.config.yaml`] = json({ materialize: true, ...more.settings })
      else files[`${path}openapi-pages.config.yaml`] = 'materialize: true\n'
      const entry = {
        division: '/navigation/tabs/API',
        document: source,
        operation: 'GET /gone',
        group: 'a',
        hash: hash.slice(0, 16),
      }
      const divisions = { '/navigation/tabs/API': [{ source, directory: directory ?? 'api-reference' }] }
      if (lock !== null) files[`${path}openapi-pages.lock.json`] = json({ version: 1, divisions, pages: { [lock]: entry } })
    }
    if (record !== null) files['.openapi-pages-cache/init.json'] = json({ version: 1, files: [{ path: record, hash }] })
    if (manifest !== null) files[`site/${manifestName}`] = json({ version: 1, files: { [manifest]: hash } })
    if (hook) files['.git/hooks/post-checkout'] = '#!/bin/sh\ntouch HOME/ran\n'
    return { files, links: more.links, settings: more.gitSettings, hasGitFile: more.hasGitFile }
  })

/** Writes a clone with two commits to `top/clone`, next to the folder `top/home` of the user. */
export function writeClone(clone: HostileClone, top: string, url: string): string {
  const fill = (text: string) => text.replaceAll('HOME', join(top, 'home')).replaceAll('URL', url)
  for (const path of ['home/.bashrc', 'home/.gitconfig', 'canary', 'home/mine/notes']) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), path.endsWith('config') ? '' : canary)
  }
  const root = join(top, 'clone')
  mkdirSync(root)
  const history = makeHistory(root)
  const write = (path: string, content: string) => {
    const at = join(root, fill(path))
    // A name can be too long, or that of a folder.
    try {
      mkdirSync(dirname(at), { recursive: true })
      writeFileSync(at, fill(content), { mode: path.startsWith('.git/') ? 0o755 : 0o644 })
    } catch {}
  }
  const files = Object.entries(clone.files)
  for (const [path, content] of files) if (!path.startsWith('.git/')) write(path, content.replaceAll('/list-', '/old-'))
  history.commit({ 'version.txt': '1' })
  for (const [path, content] of files) if (!path.startsWith('.git/')) write(path, content)
  for (const [path, to] of clone.links) {
    rmSync(join(root, path), { recursive: true, force: true })
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(fill(to), join(root, path))
  }
  history.commit({ 'version.txt': '2' })
  for (const [path, content] of files) if (path.startsWith('.git/')) write(path, content)
  for (const [key, value] of clone.settings) history.git('config', '--add', key, fill(value))
  if (clone.hasGitFile && existsSync(join(root, '.git'))) {
    renameSync(join(root, '.git'), join(top, 'git'))
    writeFileSync(join(root, '.git'), `gitdir: ${join(top, 'git')}\n`)
  }
  return root
}
