import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { PackedPackage } from '../../scripts/pack.ts'
import { compileCache } from './compile-cache.ts'

/** A new user of the packages, with Git and Node.js, who types commands of the documentation into a shell. */
export interface Newcomer {
  /** An empty directory for the files of the newcomer. */
  readonly home: string
  /** Runs one command and returns its output. Other exit codes than the given ones, by default 0, fail the test. */
  readonly run: (command: string, folder?: string, codes?: readonly number[]) => Promise<string>
  /** Runs the commands of a block one after the other, and returns their output. */
  readonly runAll: (block: string, folder?: string, codes?: readonly number[]) => Promise<string>
  /** Runs a script as one command, without printing it. */
  readonly runQuietly: (script: string, folder?: string, codes?: readonly number[]) => Promise<string>
  /** The path of a file as the commands see it. */
  readonly inside: (path: string) => string
  /** Starts a block of commands that runs until it is stopped. */
  readonly start: (block: string, folder?: string) => StartedBlock
  /** Does something that is not a command of the newcomer, and prints its time as well. */
  readonly step: <T>(title: string, action: () => Promise<T>) => Promise<T>
}

interface StartedBlock {
  readonly output: () => string
  readonly stop: () => Promise<void>
}

interface NewcomerOptions {
  /** The packages that npm installs in place of those on its registry. */
  readonly packages: readonly PackedPackage[]
  /** The root of a Debian tree in which the commands run. By default, they run on this machine. */
  readonly tree?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

/** What the documentation needs next to Git and Node.js. Git itself and npm use some of the others. */
const programs = ['bash', 'cat', 'env', 'git', 'ls', 'mkdir', 'npm', 'npx', 'sed', 'sh', 'uname']

/** Creates a newcomer without configuration, packages or other programs. Everything is removed when the running test has ended. */
export function makeNewcomer({ packages, tree, env: more = {} }: NewcomerOptions): Newcomer {
  const outside = realpathSync(mkdtempSync(join(tree === undefined ? tmpdir() : join(tree, 'tmp'), 'openapi-pages-newcomer-')))
  onTestFinished(() => rmSync(outside, { recursive: true, force: true, maxRetries: 3 }))
  const inside = (path: string) => (tree === undefined ? path : path.slice(tree.length))
  const [bin, machine, prefix, home, temporary] = [
    join(outside, 'bin'),
    join(outside, 'machine'),
    join(outside, 'npm'),
    join(outside, 'home'),
    join(outside, 'temporary'),
  ]
  for (const folder of [bin, machine, join(prefix, 'lib'), home, temporary]) mkdirSync(folder, { recursive: true })
  if (tree === undefined) linkPrograms(machine)
  const path = tree === undefined ? machine : '/usr/sbin:/usr/bin:/sbin:/bin'
  const tarballs = packages.map(({ name, tarball }) => {
    copyFileSync(tarball, join(outside, basename(tarball)))
    return { name, tarball: inside(join(outside, basename(tarball))) }
  })
  for (const [name, text] of Object.entries(renderNpm(tarballs, path))) writeFileSync(join(bin, name), text, { mode: 0o755 })
  // What npm needs to reach its registry. The cache is outside of the tree.
  const isInherited = (name: string) =>
    /^(NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_(registry|userconfig))$/i.test(name) ||
    (tree === undefined && name === 'npm_config_cache')
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isInherited(name))),
    // npm finds its settings and its cache there. All other settings are those of the newcomer.
    HOME: tree === undefined ? process.env['HOME'] : '/root',
    LANG: 'C.UTF-8',
    ...compileCache,
    NO_COLOR: '1',
    PATH: [inside(bin), inside(join(prefix, 'bin')), path].join(':'),
    TMPDIR: inside(temporary),
    XDG_CONFIG_HOME: inside(join(outside, 'settings')),
    npm_config_prefix: inside(prefix),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) => [
        [`GIT_${role}_NAME`, 'Pat'],
        [`GIT_${role}_EMAIL`, 'pat@example.com'],
      ]),
    ),
    ...more,
  }
  const start = (block: string, folder = home) => {
    const script = `cd '${inside(folder)}'\n${block}`
    const args = ['-e', '-c', script]
    const options: SpawnOptions = { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }
    const child = tree === undefined ? spawn('bash', args, options) : spawn('chroot', [tree, 'bash', ...args], options)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
    const ended = once(child, 'close').then(([code]) => code as number | null) // The first argument of the event.
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      await ended
    }
    onTestFinished(stop)
    return { ended, stop, output: () => output }
  }
  const step: Newcomer['step'] = async (title, action) => {
    const startedAt = performance.now()
    const result = await action()
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${title}`)
    return result
  }
  const runQuietly: Newcomer['runQuietly'] = async (script, folder = home, codes = [0]) => {
    const { ended, output } = start(script, folder)
    const code = await ended
    expect(codes, `$ ${script}\n${output()}`).toContain(code)
    return output()
  }
  const run: Newcomer['run'] = async (command, folder = home, codes = [0]) => {
    return await step(`$ ${command.replace(/\/\/\S+@/, '//')}`, async () => await runQuietly(command, folder, codes))
  }
  const runAll: Newcomer['runAll'] = async (block, folder, codes) => {
    let output = ''
    for (const command of block.trim().split('\n')) output += await run(command, folder, codes)
    return output
  }
  return { home, run, runAll, runQuietly, inside, start, step }
}

/** Links the programs that a newcomer has into an empty directory. Node.js is the one of this process. */
function linkPrograms(folder: string): void {
  symlinkSync(process.execPath, join(folder, 'node'))
  const places = (process.env['PATH'] ?? '').split(':')
  for (const name of programs) {
    const path = places.map((place) => join(place, name)).find((each) => existsSync(each))
    if (path === undefined) throw new Error(`Cannot find the program ${name}`)
    symlinkSync(path, join(folder, name))
  }
}

/** The program `npm` of a newcomer: it replaces the names of packages by the paths of tarballs. */
function renderNpm(tarballs: readonly { readonly name: string; readonly tarball: string }[], path: string) {
  // Also with a version, as in jobs of CI systems.
  const all = tarballs.map(({ tarball }) => `'${tarball}'`).join(' ')
  const cases = [
    // Both commands come from the repository.
    `    git+https://github.com/openapi-pages/*) args+=(${all}) ;;`,
    ...tarballs.map(({ name, tarball }) => `    ${name} | ${name}@*) args+=('${tarball}') ;;`),
  ]
  const npm = ['#!/bin/bash', 'args=()', 'for arg; do', '  case $arg in', ...cases, '    *) args+=("$arg") ;;', '  esac', 'done']
  return {
    npm: [...npm, `PATH='${path}' exec npm "\${args[@]}"`, ''].join('\n'),
  }
}

/** Copies Node.js and npm with its settings into a Debian tree, and returns its path. */
export function prepareTree(tree: string): string {
  if (!existsSync(join(tree, 'usr/bin/git')))
    throw new Error(`Cannot find git in ${tree}. CONTRIBUTING.md describes how to make the tree`)
  if (!existsSync(join(tree, 'proc/self'))) throw new Error(`Run \`mount --bind /proc ${join(tree, 'proc')}\` first`)
  const npm = (...args: readonly string[]) => execFileSync('npm', args, { encoding: 'utf8' }).trim()
  const node = join(tree, 'usr/bin/node')
  rmSync(node, { force: true })
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  const modules = join(tree, 'usr/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  rmSync(join(modules, 'npm'), { recursive: true, force: true })
  const program = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
  cpSync(dirname(dirname(program)), join(modules, 'npm'), { recursive: true })
  for (const name of ['npm', 'npx']) {
    rmSync(join(tree, 'usr/bin', name), { force: true })
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(tree, 'usr/bin', name))
  }
  // The network of this machine, and its way to the registry.
  const settings = ['globalconfig', 'userconfig', 'cafile'].map((name) => npm('config', 'get', name))
  for (const path of [...settings, process.env['NODE_EXTRA_CA_CERTS'] ?? '', '/etc/resolv.conf', '/etc/hosts']) {
    if (!existsSync(path)) continue
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    copyFileSync(path, join(tree, path))
  }
  return tree
}
