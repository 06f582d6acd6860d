import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doors, findFolder, folders, listImportedRows } from '../scripts/architecture.ts'
import { findInside, toOwnPath, toUserPath } from '../src/files/boundary.ts'
import { replaceFile, resolveOutput } from '../src/files/disk-writes.ts'
import { findImportCycles, findRepeatedNames, readSourceFiles, resolveImport, type SourceFile } from './support/source-graph.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const files = readSourceFiles(join(import.meta.dirname, '../src'))

/** `node:` modules that the core may use: their results depend only on the given bytes. */
const pureModules = ['node:buffer', 'node:crypto', 'node:zlib']

/** The folders that may read `texts`. */
const textReaders = [
  'app/api',
  'app/base',
  'app/commands',
  'diagnostics',
  'changes',
  'cli',
  'cli/commands',
  'cli/open',
  'docs/navigation',
  'files',
  'openapi/hints',
  'openapi/tables',
  'playground/request',
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

/** Readers of values of any shape. */
const rawReaders = /\b(?:isObject|JsonObject|readOwn|readText|readFlag|readWritten|listOf|entriesOf)\b/
/** The folders that read descriptions from the model, and their files that read other JSON. */
const modelReaders = ['changes', 'checks', 'site/reference', 'site/agents', 'site/page/api', 'site/page/search']
const otherJson: Readonly<Record<string, string>> = {
  'changes/change.ts': 'the file with accepted changes',
  'site/reference/slice-description.ts': 'writes documents',
  'site/reference/sample-schema.ts': 'values of samples',
}

/** The files that read parts of a description without the model. */
function findRawReaders(all: readonly SourceFile[]): string[] {
  return all.flatMap(({ name, text }) => {
    const imported = /import (?:type )?\{([^}]*)\} from '[./]+\/text\/json\/json-values\.ts'/.exec(text)?.[1] ?? ''
    const isReader = modelReaders.some((folder) => name.startsWith(`${folder}/`)) && !(name in otherJson)
    return isReader && rawReaders.test(imported) ? [name] : []
  })
}

test('descriptions are read by the model, and no file above it takes a raw object', () => {
  expect(findRawReaders(files)).toEqual([])
  expect(Object.keys(otherJson).filter((name) => !files.some((file) => file.name === name))).toEqual([])
  const text = "import { type Place, readOwn } from '../../text/json/json-values.ts'\n"
  expect(findRawReaders([{ ...toFile('changes/schema/compare-types.ts'), text }])).toEqual(['changes/schema/compare-types.ts'])
})

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
    expect(listDoors().length).toBeLessThanOrEqual(137)
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
    // The line that a person passes to `init --build`.
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

  /** What reads a command line, by file, without its import: one more use is a command line inside of the program, whose words can be names. */
  const listReaders = (all: readonly SourceFile[]) => {
    const code = (text: string) => text.replaceAll(/^ *(?:\/?\*|\/\/).*|^import .*/gm, '')
    const found = all.map(({ name, text }) => [name, code(text).match(/\b(?:runCli|runProgram|parseAsync|process\.argv)\b/g)])
    return Object.fromEntries(found.filter(([, uses]) => uses))
  }

  test('read a command line only where they start', () => {
    expect(listReaders(files)).toEqual({
      'app/commands/app-program.ts': ['runProgram', 'parseAsync'],
      // The limits of a child process, as JSON.
      'app/isolate/untrusted-child.ts': ['process.argv'],
      'app/main.ts': ['runProgram'],
      'cli/base/cli-context.ts': ['process.argv'],
      'cli/main.ts': ['runCli'],
      'cli/run-cli.ts': ['runCli', 'runProgram', 'runProgram', 'parseAsync'],
    })
    const passing = { ...toFile('cli/run-cli.ts'), text: 'const a = createInit(runCli)\n// runCli\n' }
    expect(listReaders([passing])).toEqual({ 'cli/run-cli.ts': ['runCli'] })
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

describe('no answer is no fact', () => {
  const asksGit = ({ name, text }: SourceFile) => name.startsWith('git/') || /from '[./]*\/git\//.test(text)
  const asking = (all: readonly SourceFile[]) => all.filter((file) => asksGit(file) || file.name.startsWith('github/'))

  /**
   * All files that ask Git or GitHub and turn a failure into a value without `ask`, which makes it unknown: how often, and why this is no "no".
   * `text/errors.ts` has `ask`.
   */
  const handlers: Readonly<Record<string, readonly [count: number, reason: string]>> = {
    'git/git.ts': [1, 'the disk: a folder that cannot be read is not empty'],
    'git/commit.ts': [
      3,
      '`check-ignore` exits with 1 for "no"; it asks again without submodules and links; without dates, recordings have none',
    ],
    'git/push.ts': [1, 'the server says that the branch moved; every other refusal throws'],
    'github/requests/call-github.ts': [1, '404: the callers look again before they remove anything'],
    'github/requests/request-budget.ts': [2, 'the next request waits also if the one before failed'],
    'github/repositories/branches.ts': [3, 'the branches are read again, and what is temporary is removed with the next run'],
    'github/repositories/commits.ts': [2, '422 or 404 for a name; without the permission for runs, `undefined` is unknown'],
    'github/repositories/pull-requests.ts': [1, 'the pull request is looked up, and otherwise the error thrown'],
    'cli/setup/doctor-command.ts': [2, 'the row says what failed'],
    'cli/setup/setup-proof.ts': [1, 'the step of the proof fails, with the error'],
    'action/inputs/inputs.ts': [1, 'an invalid input is reported with all others'],
    'action/inputs/github-access.ts': [1, 'all files count as changed, with the reason'],
    'action/run/compare-with-base.ts': [2, 'the report says why nothing was compared, or why there is no review'],
    'action/report/app-report.ts': [1, 'the report says what failed'],
    'action/delivery/deliver-update.ts': [2, 'a pull request instead; an unknown signature is unknown'],
    'action/delivery/propose-update.ts': [1, 'the log says what stays open'],
    'action/docs-repository/update-docs-repository.ts': [2, 'the note or the failure of the report says it'],
  }

  /** Catches that return, chained catches, and exit codes of git that lead to anything but an error. */
  function findHandlers({ text }: Pick<SourceFile, 'text'>): readonly string[] {
    const blocks = [...text.matchAll(/^( *)\} catch [^\n]*\{\n([\s\S]*?)\n\1\}/gm)].filter(([, , body = '']) =>
      /\breturn\b/.test(body),
    )
    const chains = [...text.matchAll(/\.catch\([^\n]*/g)]
    const codes = [...text.matchAll(/^.*\bcode\b *(?:[!=]==?|[<>]=?) *-?\d.*$/gm)].filter(
      ([line]) => !/^ *if \(\w+\.code !== 0\) (?:throw |\{$)/.test(line),
    )
    const taken = [...text.matchAll(/\{[^{}]*\bcode\b[^{}]*\} = await \w*git\b/gi)]
    return [...blocks, ...chains, ...codes, ...taken].map(([found]) => found.trim())
  }

  test('a failure of Git or GitHub becomes a value in few places, each with a reason', () => {
    const found = asking(files).map((file) => [file.name, findHandlers(file).length] as const)
    const expected = Object.fromEntries(Object.entries(handlers).map(([name, [count]]) => [name, count]))
    // The exit codes that mean "no" are in one function.
    expected['git/git.ts'] = (expected['git/git.ts'] ?? 0) + exitCodes
    expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(expected)
  })

  /** Comparisons of exit codes in `git/git.ts`: three in `findGit` and `startGit`. */
  const exitCodes = 3

  test.each([
    'const paths = output.code === 0 ? output.stdout : []',
    'if (output.code !== 0) return []',
    'if (output.code > 0) return false',
    "const { code, stdout } = await git.run(['status'])",
    'const found = await findHead(git).catch(() => undefined)',
    'try {\n  return await findHead(git)\n} catch {\n  return undefined\n}',
    'try {\n  return await findHead(git)\n} catch (error) {\n  if (error instanceof GitError) return false\n  throw error\n}',
  ])('finds %j', (text) => {
    expect(findHandlers({ text })).toHaveLength(1)
  })

  test.each([
    "if (output.code !== 0) throw toGitError('read', output)",
    'const found = await ask(() => findHead(git))',
    'try {\n  write()\n} catch (error) {\n  restore()\n  throw error\n}',
  ])('allows %j', (text) => {
    expect(findHandlers({ text })).toEqual([])
  })
})

describe('network', () => {
  /** Scripts of pages run in browsers. */
  const onServer = files.filter(({ name }) => !/^(?:site\/client|playground)\/|^app\/screens\/pages\/assets\.ts$/.test(name))
  const listNames = (pattern: RegExp) => onServer.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  test('fetches URLs that files of a repository name only through files/fetch-document.ts', () => {
    // These connect to the app, to GitHub, and to what the operator of the app configures.
    const trusted = [
      'app/screens/people/issuers.ts',
      'app/start/start-checks.ts',
      'cli/setup/doctor-command.ts',
      'github/requests/github-client.ts',
      'status/client/call-app.ts',
    ]
    expect(listNames(/(?<![.\w'`])fetch\(/)).toEqual(trusted)
    expect(listNames(/\bsendChecked\(/)).toEqual([
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
    /^(?:append|l?chmod|l?chown|fch|cp|copy|createWrite|f?truncate|[fl]?utimes|link|mkd|open(?!dir)|promises|rename|rm|symlink|unlink|write)/

  /** All files that write without the typed functions of `files/disk-writes.ts`, with the reason why no one else can choose the path. */
  const writers: Readonly<Record<string, string>> = {
    'files/disk-writes.ts': 'the functions for all others, which take no path without an owner',
    'files/move-files.ts': 'moves files between paths that the next two have checked',
    'files/apply-file-changes.ts': 'moves files from a staging folder to paths inside a boundary',
    'files/output-folder.ts': 'refuses links in the folder before it moves files from a staging folder',
    'files/disk-files.ts': 'opens files for reading',
    'cli/open/check-entries.ts': 'opens files for reading that an argument matches',
    'cli/base/cli-context.ts': 'writes to stdout and stderr',
    'store/sqlite/sqlite-database.ts': 'creates and copies the database of the operator, without following links',
    'app/isolate/untrusted-process.ts': 'sets the priority of a process in /proc',
    'app/isolate/untrusted-watchdog.ts': 'writes to stderr',
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

  /** The files that write and read for all others. */
  const doorsToDisk = ['disk-writes', 'apply-file-changes', 'move-files', 'output-folder', 'disk-files'].map(
    (name) => `files/${name}.ts`,
  )

  /** What only looks at a path, or returns it. */
  const looking = ['isRealFile', 'isWindowsPath', 'lookAt', 'readStamp', 'toFilesError']

  /** Exported functions, and those of exported objects, that take a place on the disk as plain text. */
  function findUntyped(text: string): readonly string[] {
    const signatures = [
      ...text.matchAll(/^export (?:async )?function\*? (\w+)[^(]*\(([\s\S]*?)\n?\)[:,] /gm),
      ...text.matchAll(/^ {2}(\w+): (?:async )?(?:<.*>)?\((.*)\) =>(?! string,$)/gm),
    ]
    return signatures.flatMap(([, name = '', inputs = '']) =>
      /\b(?:root|folder|path|target|file|boundary): string\b/.test(inputs) ? [name] : [],
    )
  }

  test('takes no path without an owner', () => {
    const found = files.filter(({ name }) => doorsToDisk.includes(name)).flatMap(({ text }) => findUntyped(text))
    expect(found.filter((name) => !looking.includes(name))).toEqual([])
  })

  test.each([
    ['export function removeFile(path: string): void {\n', ['removeFile']],
    ['export async function move(\n  root: OwnedPath,\n  target: string,\n): Promise<void> {\n', ['move']],
    ['  rm: async (path: string, options?: RmOptions) => await rm(path, options),\n', ['rm']],
    ['export function removeFile(path: OwnedPath, content: string): void {\n', []],
  ])('without a type is found in %j', (text, expected) => {
    expect(findUntyped(text)).toEqual(expected)
  })
})

describe('who named a path', () => {
  /** The files that may make paths of an owner from text, and where the text comes from. */
  const makers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    toUserPath: {
      'files/boundary.ts': 'makes the type',
      'action/main.ts': 'the workspace: a variable of the runner',
      'action/report/publish-report.ts': 'the job summary: a variable of the runner',
      'cli/base/cli-context.ts': 'the working directory',
      'cli/commands/build-command.ts': '`--output`, and its default',
      'cli/commands/bundle-command.ts': '`--output`',
      'cli/commands/check-command.ts': '`--output`',
      'cli/commands/module.ts': 'arguments of the module',
      'cli/commands/review-command.ts': '`--output`, and its default',
      'cli/commands/openapi-file-command.ts': 'the folder around the working directory and `--outDir`',
      'cli/editors/lsp-command.ts': 'the files that an editor opens',
      'cli/open/workspace.ts': '`--boundary`, and the arguments that boundaries are found for',
    },
    toOwnPath: {
      'files/boundary.ts': 'makes the type',
      'files/disk-writes.ts': 'temporary folders',
      'cli/open/site-cache.ts': "the user's cache folder",
      'app/base/config/settings.ts': 'the data directory',
      'app/commands/migrate-store-command.ts': '`--from`, the data directory of another store',
      'store/sqlite/open-sqlite.ts': 'the file next to the database',
    },
  }
  /** Makers of the types that are no call, such as `as UserPath`. */
  const casts = /\bas (?:UserPath|OwnPath|InsidePath|OwnedPath)\b|<(?:UserPath|OwnPath|InsidePath|OwnedPath)>[\w(]/

  /** The files that import a maker: others have functions with its name. */
  const findUsing = (all: readonly SourceFile[], maker: string) =>
    all
      .filter(({ name, text }) => {
        const [, names = ''] = /^import \{([^}]*)\} from '[./]*(?:files\/)?boundary\.ts'/m.exec(text) ?? []
        return name === 'files/boundary.ts' || names.split(',').some((one) => one.trim().split(' ')[0] === maker)
      })
      .map(({ name }) => name)

  test.each(Object.keys(makers))('is said by %s in few places, each with the source of the path', (name) => {
    expect(findUsing(files, name).sort()).toEqual(Object.keys(makers[name] ?? {}).sort())
  })

  test('is said by no cast', () => {
    expect(files.filter(({ name, text }) => name !== 'files/boundary.ts' && casts.test(text)).map(({ name }) => name)).toEqual([])
  })

  test('is found in an import and in a cast', () => {
    const wrong = [
      "import { toUserPath } from '../files/boundary.ts'",
      "import {\n  isInside,\n  toUserPath as make,\n} from './boundary.ts'",
    ]
    for (const text of wrong) expect(findUsing([{ ...toFile('docs/a.ts'), text }], 'toUserPath')).toEqual(['docs/a.ts'])
    for (const text of ['config.baseline as UserPath', '<InsidePath>path', 'join(boundary, path) as InsidePath'])
      expect(casts.test(text)).toBe(true)
  })

  test('cannot change: no path inside a boundary is one of the user', () => {
    const inside = findInside(makeTemporaryFolder(), 'a.json')
    if (inside === undefined) throw new Error('Unexpected path outside')
    // @ts-expect-error: it comes from a repository.
    expect(toUserPath(inside)).toBe(inside)
    // @ts-expect-error
    expect(toOwnPath(inside)).toBe(inside)
    // @ts-expect-error: nobody has said who named it.
    const write = () => replaceFile('/etc/passwd', '')
    // @ts-expect-error: a repository names no output.
    const output = () => resolveOutput(inside, '/', 'any')
    expect([write, output]).toHaveLength(2)
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
    expect(new Set(folders.map(({ path }) => path.split('/')[0])).size).toBeLessThanOrEqual(20)
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
