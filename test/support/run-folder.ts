import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopSharedServer } from './postgres.ts'

/** A folder in the run's folder that files share until the run ends, such as an unpacked browser. */
const sharedName = 'shared'
const variables = ['TMPDIR', 'TMP', 'TEMP']

/**
 * Gives a test run its own temporary folder. At the end of the run the folder must be empty and no process started by a test may
 * be running. Otherwise the run fails.
 */
export default function setUpRunFolder(): (() => Promise<void>) | undefined {
  // Each project of the run calls this.
  if (process.env['OPENAPI_PAGES_TEST_RUN'] === String(process.pid)) return undefined
  process.env['OPENAPI_PAGES_TEST_RUN'] = String(process.pid)
  const before = variables.map((name) => [name, process.env[name]] as const)
  // Short: paths of Unix sockets are limited to about 100 bytes.
  const folder = mkdtempSync(join(findParent(), 'op-'))
  // Some tests start a process as another user.
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, sharedName))
  for (const name of variables) process.env[name] = folder
  process.env['OPENAPI_PAGES_TEST_SHARED'] = join(folder, sharedName)
  return async () => {
    // Here, because vitest can end the project that has started the run before the one that uses the server.
    stopSharedServer()
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    const processes = await stopProcesses(folder)
    const left = listFolder(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    const problems = [
      ...processes.map((one) => `a running process: ${one}`),
      ...left.map((path) => `in the temporary folder: ${path}`),
    ]
    if (problems.length > 0) throw new Error(`The tests left something behind:\n${problems.join('\n')}`)
  }
}

/**
 * The parent of the temporary folder: memory if Linux offers enough of it, because databases and Git repositories of tests wait for the disk
 * otherwise. A folder that the user has set is used instead.
 */
function findParent(): string {
  const memory = '/dev/shm'
  const isSet = variables.some((name) => process.env[name])
  if (isSet || !existsSync(memory) || !existsSync('/proc/mounts')) return realpathSync(tmpdir())
  const options = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === memory)?.[3]
    ?.split(',')
  const { bavail, bsize } = statfsSync(memory)
  // Tests run programs of their temporary folder.
  return options?.includes('rw') && !options.includes('noexec') && bavail * bsize > memoryBytes ? memory : realpathSync(tmpdir())
}

/** Ten times what most runs need. */
const memoryBytes = 2 * 1024 ** 3

/**
 * Whether a test should have removed this entry. npm and other programs keep Node's compile cache in the temporary folder, and a killed process can
 * leave temporary files of SQLite there. Both are removed with the folder of the run.
 */
export const isLeftover = (name: string): boolean => name !== 'node-compile-cache' && !name.startsWith('etilqs_')

/** The leftovers of tests in the run's folder: each worker has a subfolder. */
function listFolder(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name !== sharedName && isLeftover(name))
  return names.flatMap((name) =>
    /^w\d+$/.test(name)
      ? readdirSync(join(folder, name))
          .filter(isLeftover)
          .map((left) => join(name, left))
      : [name],
  )
}

/**
 * Waits until the processes of the run have ended, and kills those that do not. Linux only: other systems do not show the environment of
 * a process.
 *
 * @returns Their command lines.
 */
async function stopProcesses(folder: string): Promise<string[]> {
  if (!existsSync('/proc/self/environ')) return []
  const end = Date.now() + 10_000
  let running = listProcesses(folder)
  while (running.length > 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    running = listProcesses(folder)
  }
  for (const { pid } of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  return running.map(({ pid, command }) => `${pid} ${command}`)
}

function listProcesses(folder: string): { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const [environment, command] = ['environ', 'cmdline'].map((file) => readFileSync(`/proc/${name}/${file}`, 'utf8'))
        const isOurs = [environment, command, readlinkSync(`/proc/${name}/cwd`)].some((text) => text?.includes(folder))
        // The children of this process are the runner's own workers.
        const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
        return isOurs && command && parent !== process.pid
          ? [{ pid: Number(name), command: command.replaceAll('\0', ' ').trim() }]
          : []
      } catch {
        // It has ended meanwhile, or belongs to another user.
        return []
      }
    })
}
