import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHistory } from '../support/git-history.ts'
import { isSoak, seed } from '../support/properties.ts'
import { readTimes, readTree } from '../support/read-tree.ts'
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const operation = "{/pets: {get: {summary: List pets, tags: [Pets], sumary: x, responses: {'200': {description: ok}}}}}"
const document = `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: ${operation}\n`
const docsConfig = (division: object, others: object = {}) =>
  JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', ...division }] }, ...others })
const lock = (path: string) =>
  JSON.stringify({
    version: 1,
    divisions: [{ id: 'navigation/tabs:API', sources: [{ source: 'openapi.yaml', directory: 'api-reference', order: 'tags' }] }],
    pages: [{ path, division: 'navigation/tabs:API', document: 'openapi.yaml', operation: 'GET /old', hash: 'a' }],
  })
const config = (key: string) => (path: string) => ({
  'docs/openapi-pages.config.yaml': `${key.replace('PATH', JSON.stringify(path))}\n`,
})
const inDocs = (others: object) => ({ 'docs/docs.json': docsConfig({ openapi: 'openapi.yaml' }, others) })

const check = ['check', 'docs', '--format', 'json']
const writeBaseline = ['check', 'docs', '--write-baseline']
const fix = ['check', 'docs', '--fix', '--allow-dirty']
const update = ['update', 'docs']
const build = ['build', 'docs', '--force']

/** Where files of a clone name a path, and the commands that read or write it. */
const places: { readonly [name: string]: readonly [toFiles: (path: string) => Record<string, string>, ...commands: string[][]] } =
  {
    'baseline of a docs directory': [config('baseline: PATH'), writeBaseline, update],
    'baseline of a document': [
      (path) => ({ 'openapi-pages.config.yaml': `baseline: ${JSON.stringify(path)}\n` }),
      ['check', 'openapi.yaml', '--write-baseline'],
    ],
    ruleset: [config('ruleset: [PATH]'), check],
    'extended ruleset': [(path) => ({ 'docs/.spectral.yaml': `extends: [${JSON.stringify(path)}]\nrules: {}\n` }), check],
    'functions of a ruleset': [
      (path) => ({ 'docs/.spectral.yaml': `functionsDir: ${JSON.stringify(path)}\nfunctions: [a]\nrules: {}\n` }),
      check,
    ],
    document: [(path) => ({ 'docs/docs.json': docsConfig({ openapi: path }) }), check, fix, update, build],
    'directory of pages': [
      (path) => ({ 'docs/docs.json': docsConfig({ openapi: { source: 'openapi.yaml', directory: path } }) }),
      update,
      build,
    ],
    overlay: [
      (path) => ({ 'docs/docs.json': docsConfig({ openapi: { source: 'openapi.yaml', overlays: [path] } }) }),
      check,
      fix,
      build,
    ],
    'document of another repository': [
      config('sources: [{repository: acme/api, path: openapi.yaml, to: PATH}]'),
      ['update', 'docs', '--dry-run'],
    ],
    page: [(path) => ({ 'docs/docs.json': docsConfig({ openapi: 'openapi.yaml', pages: [path] }) }), check, update, build],
    logo: [(path) => inDocs({ logo: path, favicon: path, background: { image: path } }), check, build],
    'reference in docs.json': [(path) => inDocs({ footer: { $ref: path } }), check, update],
    redirect: [(path) => inDocs({ redirects: [{ source: path, destination: '/a' }] }), build],
    'title of an API': [
      (path) => ({ 'docs/docs.json': docsConfig({ openapi: 'openapi.yaml', tab: path, group: path }) }),
      update,
    ],
    'binding of a page': [
      (path) => ({ 'docs/a.mdx': `---\nopenapi: ${JSON.stringify(`${path} GET /pets`)}\n---\n` }),
      check,
      update,
    ],
    'image and snippet of a page': [
      (path) => ({
        'docs/a.mdx': `import A from ${JSON.stringify(path)}\n\n![](${path})\n\n<img src=${JSON.stringify(path)} />\n\n<A />\n`,
      }),
      check,
      build,
    ],
    'lock file': [(path) => ({ 'docs/openapi-pages.lock.json': lock(path) }), update],
    reference: [(path) => ({ 'docs/openapi.yaml': `${document}components: {$ref: ${JSON.stringify(path)}}\n` }), fix, update],
    href: [
      (path) => ({ 'docs/openapi.yaml': document.replace('sumary: x', `x-mint: {href: ${JSON.stringify(path)}}`) }),
      update,
      build,
      ['openapi-file', 'docs/openapi.yaml'],
    ],
    tag: [(path) => ({ 'docs/openapi.yaml': document.replace('[Pets]', `[${JSON.stringify(path)}]`) }), update],
    'record of init': [
      (path) => ({ '.openapi-pages-cache/init.json': JSON.stringify({ version: 1, files: [{ path, hash: 'a' }] }) }),
      ['init', '--undo'],
    ],
  }

/** Spellings of files of the user and of Git, from the top of the clone and from its docs directory. */
function listSpellings(home: string): readonly string[] {
  const toUser = [
    '../../.bashrc',
    '../../../.bashrc',
    '.././/../.bashrc',
    'a/../../../../.bashrc',
    '/../../.bashrc',
    '../../../new',
  ]
  const unusual = ['~/.bashrc', '..\\..\\.bashrc', '%2e%2e/%2e%2e/%2e%2e/.bashrc', '../../../.bashrc\0.json']
  const links = ['to-file', '../to-file', 'to-home/.bashrc', 'to-nothing', 'to-git', 'to-hook']
  const git = ['.git/config', '../.git/config', '../.GIT/config', '.Git/hooks/post-merge', '../.git/hooks/post-merge']
  return [...toUser, join(home, '.bashrc'), `file://${join(home, '.bashrc')}`, ...unusual, ...links, ...git]
}

const secret = 'export TOKEN=TOPSECRET'

/** A clone in a home folder, with links of the clone to files of the user and of Git. */
function makeClone() {
  const home = makeTemporaryFolder({ '.bashrc': `${secret}\n` })
  const folder = join(home, 'src/clone')
  mkdirSync(folder, { recursive: true })
  const history = makeHistory(folder)
  history.commit({
    'openapi.yaml': document,
    'docs/openapi.yaml': document,
    'docs/docs.json': docsConfig({ openapi: 'openapi.yaml' }),
  })
  history.git('config', 'http.extraheader', secret)
  for (const [top, up] of [
    ['', '..'],
    ['docs', '../..'],
  ] as const) {
    const targets = {
      file: '.bashrc',
      home: '',
      nothing: 'nothing',
      git: 'src/clone/.git/config',
      hook: 'src/clone/.git/hooks/a',
    }
    for (const [name, target] of Object.entries(targets)) symlinkSync(join(up, '..', target), join(folder, top, `to-${name}`))
  }
  return { home, folder, history }
}

test.skipIf(isWindows).each(Object.entries(places))(
  '%s: no command reads, writes or deletes outside of the clone or in .git',
  async (name, [toFiles, ...commands]) => {
    const { home, folder, history } = makeClone()
    const git = join(folder, '.git')
    const lookOutside = () => [
      Object.entries(readTree(home)).filter(([path]) => !path.startsWith('src/clone/') && !path.startsWith('cache/')),
      readTree(git),
      readTimes(git),
    ]
    // In `npm test`, a part of them, which depends on the seed. The first one always.
    const offset = seed + Object.keys(places).indexOf(name)
    const isChosen = (_: string, index: number) => isSoak || index === 0 || (index + offset) % 5 === 0
    for (const spelling of listSpellings(home).filter(isChosen)) {
      const before = lookOutside()
      for (const [path, content] of Object.entries(toFiles(spelling))) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      for (const argv of commands) {
        const run = await runInFolder(folder, argv, { env: { HOME: home, XDG_CACHE_HOME: join(home, 'cache') } })
        const files = readTree(folder)
        expect([spelling, argv, lookOutside()]).toEqual([spelling, argv, before])
        expect([spelling, argv, Object.keys(files).filter((path) => /(^|\/)\.git\//i.test(path))]).toEqual([spelling, argv, []])
        expect([spelling, argv, JSON.stringify([run, files]).includes('TOPSECRET')]).toEqual([spelling, argv, false])
      }
      history.git('checkout', '--quiet', '--', '.')
      history.git('clean', '-fdxq')
    }
  },
)
