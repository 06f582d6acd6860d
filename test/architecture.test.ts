import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doors, findFolder, folders, listImportedRows } from '../scripts/architecture.ts'
import { findImportCycles, findRepeatedNames, readSourceFiles, resolveImport, type SourceFile } from './support/source-graph.ts'

const files = readSourceFiles(join(import.meta.dirname, '../src'))

/** `node:` modules that the core may use: their results depend only on the given bytes. */
const pureModules = ['node:buffer', 'node:crypto']

/** The folders that may read `texts`. */
const textReaders = [
  'app/api',
  'app/base',
  'app/commands',
  'diagnostics',
  'changes',
  'cli',
  'cli/commands',
  'docs/navigation',
  'files',
  'openapi/hints',
  'openapi/tables',
  'rules/read',
  'site/plan',
  'site/page/code',
  'site/page/components',
  'site/page/icons',
]

const toFile = (name: string, ...imports: readonly string[]): SourceFile => ({ name, text: '', imports })

/** The imports that the folders of these files do not allow, as `file: import`. */
function findWrongImports(all: readonly SourceFile[]): string[] {
  return all.flatMap(({ name, imports }) =>
    imports.filter((target) => !mayImport(name, target)).map((target) => `${name}: ${target}`),
  )
}

function mayImport(name: string, target: string): boolean {
  const folder = findFolder(name)
  if (target.startsWith('.')) {
    const resolved = resolveImport(name, target)
    // Texts are data.
    if (resolved.startsWith('../locales/')) return folder?.path === 'site/messages'
    if (resolved.startsWith('../texts/')) return textReaders.includes(folder?.path ?? '')
    const targetFolder = findFolder(resolved)
    if (!folder || folder === targetFolder) return true
    return targetFolder !== undefined && listImportedRows(folder).includes(targetFolder)
  }
  if (target.startsWith('node:')) return !folder?.isCore || pureModules.includes(target)
  if (builtinModules.includes(target)) return false
  return !folder || folder.packages.some((one) => target === one || target.startsWith(`${one}/`))
}

/** The names by which a row can import another one: its path or, from another room, the room. */
function listNames(from: string, to: string): string[] {
  const [fromRoom] = from.split('/')
  const [toRoom = ''] = to.split('/')
  return fromRoom === toRoom ? [to] : [to, toRoom]
}

describe('folders', () => {
  test('has a row in scripts/architecture.ts for every folder of src, and a file for every row', () => {
    const inFolders = files.filter(({ name }) => name.includes('/'))
    expect(inFolders.filter(({ name }) => !findFolder(name)).map(({ name }) => name)).toEqual([])
    const found = new Set(inFolders.map(({ name }) => findFolder(name)?.path))
    expect(folders.map(({ path }) => path).filter((path) => !found.has(path))).toEqual([])
  })

  test('names each existing row once', () => {
    const paths = folders.map(({ path }) => path)
    expect(paths).toEqual([...new Set(paths)])
    const names = [...paths, ...paths.map((path) => path.split('/')[0])]
    expect(folders.flatMap(({ imports }) => imports).filter((name) => !names.includes(name))).toEqual([])
  })

  test('lets imports go one way', () => {
    const seen = new Set<unknown>()
    const visit = (row: (typeof folders)[number], above: readonly string[]): string[] => {
      if (above.includes(row.path)) return [[...above.slice(above.indexOf(row.path)), row.path].join(' → ')]
      if (seen.has(row)) return []
      const cycles = listImportedRows(row).flatMap((next) => visit(next, [...above, row.path]))
      seen.add(row)
      return cycles
    }
    expect(folders.flatMap((row) => visit(row, []))).toEqual([])
  })

  test('lets the core import only the core', () => {
    const wrong = files.flatMap(({ name, imports }) => {
      if (!findFolder(name)?.isCore) return []
      const targets = imports.filter((target) => target.startsWith('.')).map((target) => resolveImport(name, target))
      return targets
        .filter((target) => findFolder(target)?.isCore !== true && !target.startsWith('..'))
        .map((target) => `${name}: ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test('lets files import only what their folder may', () => {
    expect(findWrongImports(files)).toEqual([])
  })

  test('finds imports of other folders, packages and modules of Node.js', () => {
    const wrong = ['../cli/main.ts', '../../test/support/browser.ts', 'kysely', 'node:fs', 'fs']
    const allowed = ['./walk.ts', '../text/errors.ts', 'node:crypto']
    expect(findWrongImports([toFile('openapi/check.ts', ...allowed, ...wrong)])).toEqual(
      wrong.map((target) => `openapi/check.ts: ${target}`),
    )
    // Only the core may not use the disk.
    expect(findWrongImports([toFile('git/git.ts', 'node:fs', 'yaml')])).toEqual(['git/git.ts: yaml'])
  })

  test('allows no imports that the files do not use', () => {
    const used = new Map(folders.map(({ path }) => [path, new Set<string>()]))
    for (const { name, imports } of files) {
      for (const target of imports) {
        const from = findFolder(name)?.path ?? ''
        const path = target.startsWith('.') ? (findFolder(resolveImport(name, target))?.path ?? '') : target
        for (const one of target.startsWith('.') ? listNames(from, path) : [path]) used.get(from)?.add(one)
      }
    }
    const unused = folders.flatMap(({ path, imports, packages }) => {
      const seen = [...(used.get(path) ?? [])]
      const missing = [
        ...imports.filter((name) => !seen.includes(name)),
        ...packages.filter((name) => !seen.some((target) => target === name || target.startsWith(`${name}/`))),
      ]
      return missing.map((name) => `${path}: ${name}`)
    })
    expect(unused).toEqual([])
  })
})

describe('rooms', () => {
  const roomOf = (name: string) => name.slice(0, name.indexOf('/'))

  /** The files of rooms that files of other rooms import, with the files that do. */
  function findEntries(all: readonly SourceFile[]): Map<string, string[]> {
    const entries = new Map<string, string[]>()
    for (const { name, imports } of all) {
      for (const target of imports.filter((one) => one.startsWith('.'))) {
        const resolved = resolveImport(name, target)
        if (!resolved.startsWith('..') && roomOf(resolved) !== roomOf(name))
          entries.set(resolved, [...(entries.get(resolved) ?? []), name])
      }
    }
    return entries
  }
  const listDoors = () => Object.entries(doors).flatMap(([room, names]) => Object.keys(names).map((name) => `${room}/${name}`))

  function findClosedEntries(all: readonly SourceFile[]): string[] {
    const open = new Set(listDoors())
    return [...findEntries(all)].flatMap(([target, names]) =>
      doors[roomOf(target)] && !open.has(target) ? names.map((name) => `${name}: ${target}`) : [],
    )
  }

  test('lets files import those of other rooms through doors only, types included', () => {
    expect(findClosedEntries(files)).toEqual([])
  })

  test('finds an import around the doors', () => {
    for (const room of Object.keys(doors)) {
      const inside = [toFile(`${room}/a.ts`, './b.ts'), toFile('elsewhere/a.ts', `../${room}/b.ts`)]
      expect(findClosedEntries(inside)).toEqual([`elsewhere/a.ts: ${room}/b.ts`])
    }
  })

  test('has few doors, and uses each', () => {
    const entries = findEntries(files)
    expect(listDoors().filter((door) => !entries.has(door))).toEqual([])
    expect(listDoors().length).toBeLessThanOrEqual(121)
  })
})

describe('the core is pure', () => {
  /** Comments out the side effects of a library. */
  const silencing = 'site/reference/schema-examples.ts'
  const impure =
    /\b(?:process|console|fetch|setTimeout|setInterval|performance|globalThis)\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/

  function findImpure(all: readonly SourceFile[]): string[] {
    return all
      .filter(({ name }) => findFolder(name)?.isCore)
      .flatMap(({ name, text }) => {
        const code = text
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .replace(/\/\/.*$/gm, '')
          .replaceAll(name === silencing ? 'console.warn =' : '\0', 'quiet =')
          .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`/g, "''")
        const [found] = impure.exec(code) ?? []
        return found === undefined ? [] : [`${name}: ${found}`]
      })
  }

  test('uses nothing outside of it', () => {
    expect(findImpure(files)).toEqual([])
  })

  test.each([
    'process.env',
    'console.log(1)',
    'fetch(url)',
    'setTimeout(run)',
    'Date.now',
    'new Date()',
    'Math.random',
    'globalThis.x',
  ])('finds %s in its code', (code) => {
    const [found = ''] = impure.exec(code) ?? []
    const texts = [`const a = ${code}`, `// ${code}`, `const a = '${code}'`]
    expect(findImpure(texts.map((text) => ({ ...toFile('openapi/check.ts'), text })))).toEqual([`openapi/check.ts: ${found}`])
    expect(findImpure([{ ...toFile('git/git.ts'), text: `const a = ${code}` }])).toEqual([])
  })
})

test('encodes parts of URLs only with functions that accept half of a surrogate pair', () => {
  const encoding = files.filter(({ text }) => /\bencodeURI(?:Component)?\b/.test(text)).map(({ name }) => name)
  // The second one offers the functions to expressions in pages.
  expect(encoding).toEqual(['script/values/global-names.ts', 'text/plain/paths.ts'])
})

describe('programs', () => {
  /** The files that start programs, with what they start. Only `git/git.ts` starts git, which would run commands of the repository. */
  const starting = {
    'app/isolate/untrusted-process.ts': ['process.execPath'],
    'cli/commands/preview-command.ts': ['program'],
    'cli/setup/setup-proof.ts': ['command'],
    'git/git.ts': ["'git'"],
  }
  const findStarted = (text: string) =>
    [...text.matchAll(/(?<!\.)\b(?:spawn|exec|execFile|fork)(?:Sync|\))?\(\s*([\w.]+|(['"`])[^\n]*?\2)/g)].map(
      ([, program]) => program,
    )

  test('starts programs only in these files', () => {
    const importing = files.filter(({ text }) => text.includes('child_process'))
    expect(Object.fromEntries(importing.map(({ name, text }) => [name, findStarted(text)]))).toEqual(starting)
    expect(files.filter(({ name, text }) => name !== 'git/git.ts' && /(['"`])git(?:\.exe)?\1, \[/.test(text))).toEqual([])
  })

  test('starts no programs in the published files outside of src, except its own', () => {
    const top = join(import.meta.dirname, '..')
    const published = globSync(['bin/**', 'deploy/**', 'editors/**', 'packages/**', 'action.yml', 'Dockerfile'], {
      cwd: top,
      exclude: ({ name }) => name === 'node_modules' || name === 'dist',
      withFileTypes: true,
    })
    const texts = published.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    expect(texts.length).toBeGreaterThan(20)
    const pattern =
      /child_process|(?:^|[\s;&|(])git (?:-|add|clone|checkout|commit|config|diff|fetch|log|pull|push|show|status)\b/m
    expect(texts.filter((path) => pattern.test(readFileSync(path, 'utf8')))).toEqual([])
  })
})

describe('network', () => {
  /** Scripts of pages run in browsers. */
  const onServer = files.filter(({ name }) => !/^(?:site\/client|playground)\/|^app\/screens\/pages\/assets\.ts$/.test(name))
  const listNames = (pattern: RegExp) => onServer.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  test('fetches URLs that files of a repository name only through files/fetch-document.ts', () => {
    // These connect to the app, to GitHub, and to what the operator of the app configures.
    const trusted = [
      'app/start/start-checks.ts',
      'cli/setup/doctor-command.ts',
      'github/requests/github-client.ts',
      'status/client/call-app.ts',
    ]
    expect(listNames(/(?<![.\w'`])fetch\(/)).toEqual(trusted)
    expect(listNames(/\brequestChecked\(/)).toEqual([
      // Reads no responses.
      'cli/open/request-link.ts',
      'files/fetch-document.ts',
      'files/network.ts',
    ])
    expect(listNames(/\brequestPublic\(/)).toEqual(['app/sites/relay-target.ts', 'files/network.ts'])
    expect(listNames(/\bimport \{[^}]*\b(?:get|request)\b[^}]*\} from '(?:node:https?|undici)'/)).toEqual([])
  })
})

describe('writing files', () => {
  /** Imports of `node:fs` that create, change or remove something. `open` can. */
  const writing =
    /^(?:append|l?chmod|l?chown|fch|cp|copy|createWrite|f?truncate|[fl]?utimes|link|mkd|open(?!dir)|rename|rm|symlink|unlink|write)/

  /**
   * All files that write without `files/disk-writes.ts`, with the reason why no symbolic link of a repository, or of another user, can lead
   * them to other files.
   */
  const writers: Readonly<Record<string, string>> = {
    'files/disk-writes.ts': 'the functions for all others',
    'files/apply-file-changes.ts': 'resolves every link and checks the targets before it moves files from a staging folder',
    'files/output-folder.ts': 'refuses links in the folder before it moves files from a staging folder',
    'files/disk-files.ts': 'opens files for reading',
    'cli/open/check-entries.ts': 'opens files for reading',
    'cli/base/cli-context.ts': 'writes to stdout and stderr',
    'cli/setup/setup-proof.ts': 'fills and removes its own folder outside of repositories, a clone with the files of a plan',
    'cli/open/site-cache.ts': "creates and cleans the user's cache folder, outside of repositories",
    'action/report/publish-report.ts':
      "appends to the runner's job summary, a path that GitHub sets; creates the folder of the input `sarif-file`, after its links are resolved and checked",
    'action/docs-repository/docs-clone.ts': 'removes its own folder outside of repositories, which Git fills',
    'git/remote-repository.ts': 'creates and removes a new folder outside of repositories, which Git fills',
    'github/repositories/archives.ts': 'fills a new folder, creates no links, and never replaces a file',
    'store/sqlite/sqlite-database.ts': 'creates and copies the database, without following links',
    'app/base/config/app-config.ts': 'creates the data directory',
    'app/base/config/server-keys.ts': 'removes its own file',
    'app/base/signed-links.ts': 'removes its own file',
    'app/screens/setup/create-setup.ts': 'creates the data directory and removes its own file',
    'app/commands/maintenance-commands.ts': 'creates the folder of a backup, which must not exist, and removes it on errors',
    'app/publish/build-run-site.ts': 'creates files in a new folder of its run',
    'app/check/check-archive.ts': 'creates and removes the folder of a run',
    'app/jobs/run-part.ts': 'removes old folders of runs, without following links',
    'app/isolate/untrusted-process.ts': 'sets the priority of a process in /proc',
    'app/isolate/untrusted-watchdog.ts': 'writes to stderr',
    'app/publish/screenshot-taker.ts': 'creates the folder of the browser',
  }

  function findWritingImports(text: string): readonly string[] {
    const named = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from 'node:fs(?:\/promises)?'/gm)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim().replace(/ as .*/s, '')),
    )
    const whole = /(?:^import (?:\w+|\* as \w+) from|getBuiltinModule\(|import\(|require\() ?'(?:node:)?fs(?:\/promises)?'/m.exec(
      text,
    )
    return [...named.filter((name) => writing.test(name)), ...(whole ? [whole[0]] : [])]
  }

  test('happens in few places, each with a reason', () => {
    const found = files.filter(({ text }) => findWritingImports(text).length > 0).map(({ name }) => name)
    expect(found.sort()).toEqual(Object.keys(writers).sort())
  })

  test.each([
    ["import { readFileSync, writeFileSync } from 'node:fs'", ['writeFileSync']],
    ["import {\n  type Stats,\n  rename as move,\n} from 'node:fs/promises'", ['rename']],
    ["import * as fs from 'node:fs'", ["import * as fs from 'node:fs'"]],
    ["import { existsSync, opendirSync, readSync, realpathSync, statSync } from 'node:fs'", []],
  ])('is found in %j', (text, expected) => {
    expect(findWritingImports(text)).toEqual(expected)
  })
})

describe('structure', () => {
  test('has no import cycles, types included', () => {
    expect(findImportCycles(files)).toEqual([])
  })

  test('finds a cycle of types and one of dynamic imports', () => {
    const graph = [
      toFile('a/x.ts', '../b/y.ts', './z.ts'),
      toFile('a/z.ts', 'yaml', './main.ts'),
      toFile('b/y.ts', '../a/x.ts'),
      toFile('a/main.ts', './z.ts'),
      toFile('b/main.ts'),
      toFile('b/z.ts'),
    ]
    expect(findImportCycles(graph)).toEqual([
      ['a/main.ts', 'a/z.ts'],
      ['a/x.ts', 'b/y.ts'],
    ])
    expect([...findRepeatedNames(graph)]).toEqual([['z', ['a/z.ts', 'b/z.ts']]])
  })

  test('has few top-level folders', () => {
    expect(new Set(folders.map(({ path }) => path.split('/')[0])).size).toBeLessThanOrEqual(18)
  })

  test('gives no two files the same name, except `main` and `types`', () => {
    expect(Object.fromEntries(findRepeatedNames(files))).toEqual({})
  })
})

describe('sizes', () => {
  /** What is larger than it should be, with its size. Entries only shrink and go. */
  const exceptions = {
    /** Lines of functions with more than 100, except tables. */
    functions: {},
    /** Fields of context types with more than six. `CheckContext` and `RuleContext` stay: they are what authors of checks and rules may use. */
    contexts: {
      CheckContext: 12,
      RuleContext: 7,
    },
    /** Lines of files with more than 500. */
    files: {},
  } satisfies Record<string, Readonly<Record<string, number>>>

  /** The lines of functions, by name: from the first line to the first one that closes its block. */
  function measureFunctions(all: readonly SourceFile[]): Map<string, number> {
    const lengths = new Map<string, number>()
    for (const { text } of all) {
      const lines = text.split('\n')
      for (const [index, line] of lines.entries()) {
        const [, indent = '', name] =
          /^(\s*)(?:export )?(?:async )?function\*? (\w+)/.exec(line) ??
          /^(\s*)(?:export )?const (\w+) = (?:async )?(?:<.*>)?\(.*=> [{(]$/.exec(line) ??
          []
        if (name === undefined) continue
        const isEnd = (next: string) => next.startsWith(`${indent}}`) && !next.endsWith('{')
        const length = lines.slice(index + 1).findIndex(isEnd) + 2
        lengths.set(name, Math.max(lengths.get(name) ?? 0, length))
      }
    }
    return lengths
  }

  function measureContexts(all: readonly SourceFile[]): Map<string, number> {
    const pattern = /(?:interface|type) (\w*(?:Context|Environment|Surroundings))\b[^{\n]*\{([\s\S]*?)\n\}/g
    const found = all.flatMap(({ text }) => [...text.matchAll(pattern)])
    return new Map(found.map(([, name = '', body = '']) => [name, body.match(/^ {2}(?:readonly )?\w+\??[:(]/gm)?.length ?? 0]))
  }

  const isTable = (name: string) => tables.includes(name)
  /** Definitions of objects and of tables of the database. */
  const tables = ['createProjects', 'createQueue', 'createSites', 'createMetrics']

  const measures = {
    functions: { limit: 100, sizes: new Map([...measureFunctions(files)].filter(([name]) => !isTable(name))) },
    contexts: { limit: 6, sizes: measureContexts(files) },
    files: {
      limit: 500,
      sizes: new Map(files.map(({ name, text }) => [name.split('/').slice(-2).join('/'), text.split('\n').length - 1])),
    },
  }

  test.each(Object.entries(measures))('keeps %s small, except those that are listed', (name, { limit, sizes }) => {
    const listed: Readonly<Record<string, number>> = exceptions[name as keyof typeof exceptions]
    const larger = [...sizes].filter(([key, size]) => size > (listed[key] ?? limit))
    expect(Object.fromEntries(larger)).toEqual({})
    // An exception that is no longer needed goes.
    expect(Object.keys(listed).filter((key) => (sizes.get(key) ?? 0) <= limit)).toEqual([])
  })

  test('measures functions and contexts', () => {
    const body = '\n  a()\n'.repeat(2)
    const text = `export async function long(\n  a: string,\n): Promise<void> {${body}}\nconst short = (a: string) => {\n}\n`
    expect(Object.fromEntries(measureFunctions([{ ...toFile('a.ts'), text }]))).toEqual({ long: 7, short: 2 })
    const context = 'export interface AContext extends B {\n  readonly a: string\n  /** b: c */\n  b?(): void\n}\n'
    expect(Object.fromEntries(measureContexts([{ ...toFile('a.ts'), text: context }]))).toEqual({ AContext: 2 })
  })
})

describe('names', () => {
  test('has no meaningless file or folder names', () => {
    const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|managers?|lib|shared)(\/|\.|-)/i.test(file.name))
    expect(vague.map((file) => file.name)).toEqual([])
  })

  test('collects exports only in src/index.ts', () => {
    const barrels = files.filter((file) => file.name.endsWith('/index.ts'))
    expect(barrels.map((file) => file.name)).toEqual([])
  })
})
