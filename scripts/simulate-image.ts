import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, posix } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Instruction, readDockerfile, readDockerIgnore, toWords } from './read-dockerfile.ts'

// Builds the image without a container engine: runs the instructions of the Dockerfile in temporary directories. Then starts the result as
// an unprivileged user that can write only to its volumes and `/tmp`, waits for the health check, and stops it.
// Usage: `node scripts/simulate-image.ts`.
//
// Differences from an engine: programs of the base image are those of this machine, and optional steps (`[ -z "$NAME" ] || …`) are skipped.

/** The users of the base image. As another user than root, everything belongs to the current user. */
const users: Readonly<Record<string, number>> = { node: 1000 }
const isRoot = process.getuid?.() === 0

/** A built stage. Paths of the image are relative to `root`. */
interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

type Stage = { -readonly [Key in keyof Image]: Image[Key] }

/**
 * Builds the last stage of the Dockerfile in `context`.
 *
 * @param to An empty folder.
 * @param env The environment of the `RUN` instructions, for example with a `PATH` that contains npm.
 * @throws {Error} for an unsupported instruction or a failed command.
 */
export function buildImage({ context, to, env }: { context: string; to: string; env: NodeJS.ProcessEnv }): Image {
  const stages = new Map<string, Stage>()
  const sources = join(to, 'context')
  copyContext(context, sources)
  let stage: Stage | undefined
  for (const instruction of readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (instruction.name === 'FROM') {
      const { name, root } = readFrom(instruction, to, stages.size)
      stage = { root, env: {}, workdir: '/', user: 'root', volumes: [], ports: [], command: [], healthCheck: [] }
      stages.set(name, stage)
    } else if (stage) run(instruction, { stage, stages, sources, env })
    else throw new Error(`Dockerfile:${instruction.line}: expected FROM first`)
  }
  if (!stage) throw new Error('The Dockerfile has no stage')
  return stage
}

function copyContext(context: string, to: string): void {
  const filter = readDockerIgnore(readFileSync(join(context, '.dockerignore'), 'utf8'))
  const copy = (folder: string): void => {
    for (const entry of readdirSync(join(context, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (filter.opens(path)) copy(path)
      } else if (filter.includes(path)) {
        mkdirSync(dirname(join(to, path)), { recursive: true })
        cpSync(join(context, path), join(to, path), { verbatimSymlinks: true })
      }
    }
  }
  copy('')
}

function readFrom(instruction: Instruction, to: string, index: number): { name: string; root: string } {
  const [base = '', as, name = String(index), ...others] = toWords(instruction)
  if (!/^node:\d+-slim$/.test(base) || (as !== undefined && as.toUpperCase() !== 'AS') || others.length > 0)
    throw new Error(`Dockerfile:${instruction.line}: expected \`FROM node:<version>-slim AS <name>\``)
  const root = join(to, name)
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  mkdirSync(join(root, 'tmp'))
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  chmodSync(join(root, 'usr/local/bin/node'), 0o755)
  return { name, root }
}

interface BuildContext {
  readonly stage: Stage
  readonly stages: ReadonlyMap<string, Stage>
  readonly sources: string
  readonly env: NodeJS.ProcessEnv
}

function run(instruction: Instruction, { stage, stages, sources, env }: BuildContext): void {
  const { name, line, flags, text } = instruction
  const fail = (reason: string): never => {
    throw new Error(`Dockerfile:${line}: ${reason}`)
  }
  switch (name) {
    case 'ARG':
      // Used by optional steps only.
      if (!text.endsWith('=')) fail('expected an argument with an empty default')
      return
    case 'ENV': {
      const pairs = toWords(instruction).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])
      stage.env = { ...stage.env, ...Object.fromEntries(pairs) }
      return
    }
    case 'WORKDIR':
      stage.workdir = posix.resolve(stage.workdir, text)
      mkdirSync(join(stage.root, stage.workdir), { recursive: true })
      return
    case 'USER':
      if (!Object.hasOwn(users, text)) fail(`unknown user ${text}`)
      stage.user = text
      return
    case 'VOLUME':
      stage.volumes = toWords(instruction)
      return
    case 'EXPOSE':
      stage.ports = toWords(instruction)
      return
    case 'CMD':
      stage.command = toWords(instruction)
      return
    case 'HEALTHCHECK':
      if (!text.startsWith('CMD ')) fail('expected CMD')
      stage.healthCheck = toWords({ name, line, text: text.slice(4) })
      return
    case 'COPY': {
      const from = flags['from'] === undefined ? sources : stages.get(flags['from'])?.root
      if (from === undefined) fail(`unknown stage ${flags['from']}`)
      else copyFiles(toWords(instruction), from, stage, flags['chown'])
      return
    }
    case 'RUN':
      if (/^\[ -z "\$\w+" \] \|\| /.test(text)) return
      execFileSync('sh', ['-e', '-c', toHostPaths(text, stage)], {
        cwd: join(stage.root, stage.workdir),
        env: { ...env, ...expand(stage.env, env['PATH'] ?? '') },
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      return
    default:
      fail(`unsupported instruction ${name}`)
  }
}

/** Like Docker, copies the content of a directory, and a file into a directory if the target ends with `/` or is one. */
function copyFiles(words: readonly string[], from: string, stage: Stage, owner: string | undefined): void {
  const target = words.at(-1) ?? ''
  const to = join(stage.root, posix.resolve(stage.workdir, target))
  const id = owner === undefined ? undefined : users[owner.split(':')[0] ?? '']
  if (owner !== undefined && id === undefined) throw new Error(`Unknown user in --chown=${owner}`)
  for (const word of words.slice(0, -1)) {
    const source = join(from, word)
    if (!existsSync(source)) throw new Error(`COPY ${word}: the file does not exist, or .dockerignore excludes it`)
    const isInto = statSync(source).isFile() && (/[/.]$/.test(target) || words.length > 2)
    const place = isInto ? join(to, basename(word)) : to
    mkdirSync(dirname(place), { recursive: true })
    cpSync(source, place, { recursive: true, verbatimSymlinks: true })
    if (id !== undefined && isRoot) for (const path of listTree(place)) chownSync(path, id, id)
  }
}

/** A path and everything below it, without following links, which can lead out of the image. */
function listTree(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path]
  return [path, ...readdirSync(path).flatMap((name) => listTree(join(path, name)))]
}

/** Replaces absolute paths of the image. @throws {Error} for a path that does not exist in the image, because it could be one of this machine. */
function toHostPaths(text: string, stage: Stage): string {
  return text.replace(/(^|[\s=:"'])(\/[\w./*-]*)/g, (_, before: string, path: string) => {
    const [, top = ''] = path.split('/')
    if (!existsSync(join(stage.root, top))) {
      // The command can use other stages only through COPY.
      throw new Error(`Unexpected path ${path} in \`${text}\`: the stage has no directory /${top}`)
    }
    return before + join(stage.root, path)
  })
}

/** The environment of an image, with the paths of this machine. `path` replaces `$PATH`. */
function expand(env: Readonly<Record<string, string>>, path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll('$PATH', path)]))
}

interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Container {
  /** The host path of a path in the container. */
  toPath(path: string): string
  /** Runs a command line in the working directory, as `docker exec` does. */
  exec(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Result>
  /** Runs the health check until it succeeds. @throws {Error} with the output if the container ends before. */
  untilHealthy(): Promise<void>
  /** Sends SIGTERM. @returns The exit code. */
  stop(): Promise<number | null>
  /** The output of both streams. */
  output(): string
}

/**
 * Starts an image with `docker run --read-only --tmpfs /tmp`.
 *
 * @param env The settings of `-e`.
 */
export async function startContainer(image: Image, env: Readonly<Record<string, string>>): Promise<Container> {
  const id = users[image.user]
  if (id === undefined) throw new Error('The image runs as root')
  protect(image)
  const toPath = (path: string) => join(image.root, posix.resolve(image.workdir, path))
  const [port = ''] = image.ports
  const settings = {
    ...expand(image.env, '/usr/local/bin'),
    ...env,
    HOME: `/home/${image.user}`,
    TMPDIR: '/tmp',
    // Only this machine can connect to the simulated container. `docker run -p` selects the port.
    HOST: '127.0.0.1',
    PORT: env['PORT'] ?? String(await findFreePort()),
  }
  if (image.env['PORT'] !== port) throw new Error(`The image exposes port ${port}, but listens on ${image.env['PORT']}`)
  const mapped = Object.entries(settings).map(([name, value]) => {
    const isPath = /^\/[\w./-]+(:\/[\w./-]+)*$/.test(value)
    return [name, isPath ? value.split(':').map(toPath).join(delimiter) : value] as const
  })
  const environment: Record<string, string> = Object.fromEntries(mapped)
  // Programs of the base image are those of this machine.
  environment['PATH'] = [environment['PATH'], '/usr/bin', '/bin'].join(delimiter)
  const start = (words: readonly string[], added: Readonly<Record<string, string>> = {}): ChildProcess => {
    const [command = '', ...args] = words.map((word) => (word.startsWith('/') ? toPath(word) : word))
    return spawn(command, args, {
      cwd: toPath('.'),
      env: { ...environment, ...added },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: id, gid: id }),
    })
  }
  const collect = async (child: ChildProcess): Promise<Result> => {
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name]?.on('data', (data) => (texts[name] += data))
    const [code] = await once(child, 'close')
    return { code: code as number | null, ...texts } // The first argument of the event.
  }
  const server = start(image.command)
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (data) => (output += data))
  const ended = once(server, 'close').then(([code]) => code as number | null) // The first argument of the event.
  const container: Container = {
    toPath,
    exec: (words, added) => collect(start(words, added)),
    async untilHealthy() {
      while ((await container.exec(image.healthCheck)).code !== 0) {
        if (server.exitCode !== null) throw new Error(`The container ended with exit code ${server.exitCode}:\n${output}`)
        await sleep(200)
      }
    },
    async stop() {
      server.kill('SIGTERM')
      return await ended
    },
    output: () => output,
  }
  return container
}

/** Makes everything except volumes and `/tmp` read-only. Root's files are read-only for the user of the container. */
function protect({ root, volumes, user }: Image): void {
  const writable = [...volumes, '/tmp'].map((path) => join(root, path))
  const id = users[user] ?? 0
  if (isRoot) chownSync(join(root, 'tmp'), id, id)
  // The folders above it are private.
  for (let folder = root; folder !== dirname(folder) && folder !== tmpdir(); folder = dirname(folder)) {
    const { mode, uid } = statSync(folder)
    if (uid === process.getuid?.()) chmodSync(folder, mode | 0o011)
  }
  if (isRoot) return
  for (const path of listTree(root).toReversed()) {
    const isOpen = writable.some((folder) => path === folder || path.startsWith(`${folder}/`))
    if (!isOpen && !lstatSync(path).isSymbolicLink()) chmodSync(path, statSync(path).mode & ~0o222)
  }
}

/** Removes the folders of an image, also the read-only ones. */
export function removeImage(folder: string): void {
  for (const path of existsSync(folder) ? listTree(folder) : []) if (lstatSync(path).isDirectory()) chmodSync(path, 0o755)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const to = mkdtempSync(join(tmpdir(), 'openapi-pages-image-'))
  try {
    const image = buildImage({ context: join(import.meta.dirname, '..'), to, env: process.env })
    console.log('Built the image')
    const container = await startContainer(image, {})
    await container.untilHealthy()
    console.log('The container is healthy')
    const code = await container.stop()
    console.log(`The container stopped with exit code ${code}`)
    process.exitCode = code === 0 ? 0 : 1
  } finally {
    removeImage(to)
  }
}
