import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import { readDockerfile, readDockerIgnore } from '../support/read-dockerfile.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// Without a container engine: the directories of the image are below a temporary one, and the base image is this machine.

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

/** Copies what `docker build` would send, of the files that a clone has. */
function copyContext(to: string): void {
  const includes = readDockerIgnore(read('.dockerignore'))
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((path) => path !== '' && includes(path)))
    cpSync(join(projectFolder, file), join(to, file), { recursive: true })
}

/** An address that no server uses. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

test('the steps of the Dockerfile build an app that starts, answers its health check and ends', async () => {
  const image = makeTemporaryFolder()
  const context = join(image, 'context')
  copyContext(context)
  /** The paths of the image in a text. */
  const place = (text: string) => text.replaceAll(/(?<![\w.])\/(?:src|app|data)\b/g, (path) => join(image, path))
  const base = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  // Of the project that tests this one, and of the test runner.
  const foreign = /^(?:npm_|NODE_|OPENAPI_PAGES_|VITEST)|^(?:BASE_URL|DEV|MODE|PROD|SSR|TEST)$/
  for (const name of Object.keys(base)) if (foreign.test(name)) Reflect.deleteProperty(base, name)
  let cwd: string = image
  let env: NodeJS.ProcessEnv = base
  const commands = new Map<string, readonly string[]>()
  for (const { name, from, text } of readDockerfile(read('Dockerfile'))) {
    if (name === 'FROM') env = { ...base, CHROMIUM: '' }
    else if (name === 'WORKDIR') {
      cwd = place(text)
      mkdirSync(cwd, { recursive: true })
    } else if (name === 'COPY' && from === undefined) {
      const paths = text.split(' ')
      const to = join(cwd, paths.pop() ?? '')
      for (const path of paths) cpSync(join(context, path), path === '.' ? to : join(to, basename(path)), { recursive: true })
    } else if (name === 'RUN') execFileSync('sh', ['-c', place(text)], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    else if (name === 'ENV')
      for (const pair of text.split(' ')) {
        const [key = '', value = ''] = pair.split('=')
        env[key] = place(value).replace('$PATH', env['PATH'] ?? '')
      }
    else if (name === 'CMD' || name === 'HEALTHCHECK')
      commands.set(name, JSON.parse(place(text.slice(text.indexOf('[')))) as readonly string[]) // As Docker reads it.
  }
  const [program = '', ...args] = commands.get('CMD') ?? []
  const [health = '', ...healthArgs] = commands.get('HEALTHCHECK') ?? []
  // Nothing of the sources is in the image.
  rmSync(join(image, 'src'), { recursive: true })
  rmSync(context, { recursive: true })

  const running = { ...env, HOST: '127.0.0.1', PORT: String(await findPort()), CHROMIUM_PATH: 'off', SITES_DOMAIN: 'off' }
  const isHealthy = () =>
    new Promise<boolean>((resolve) =>
      spawn(health, healthArgs, { env: running, cwd }).once('exit', (code) => resolve(code === 0)),
    )
  expect(await isHealthy()).toBe(false)
  const app = spawn(program, args, { env: running, cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void app.kill('SIGKILL'))
  for await (const line of createInterface({ input: app.stdout })) if (/listening|ready/i.test(line)) break
  expect(await isHealthy()).toBe(true)
  app.kill('SIGTERM')
  expect(await once(app, 'exit')).toEqual([0, null])
})
