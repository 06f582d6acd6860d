import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildImage, type Container, removeImage, startContainer } from '../../scripts/simulate-image.ts'
import { settings } from '../../src/app/config/settings.ts'
import { askSite } from '../app/support/sites.ts'
import { projectFolder } from '../support/action-harness.ts'
import { untilIdle } from '../support/app-scenario.ts'
import { toAppSettings } from '../support/fake-github/app-settings.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { writeQuickNpm } from '../support/quick-npm.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { readTree } from '../support/read-tree.ts'

// Builds the image without a container engine, and runs the documented commands in it as its unprivileged user.

const page = 'docs/self-hosting.md'
/** The arguments of the documented command that starts the container. */
const documented = readDockerRun(readBlocks('In a container', 'sh', page)[0] ?? '')

function readDockerRun(block: string): { flags: string[]; env: Record<string, string>; volumes: string[]; ports: string[] } {
  const command = /^docker run (-d .*)$/m.exec(block.replaceAll(/ \\\n\s*/g, ' '))?.[1] ?? ''
  const words = command.split(' ')
  const found = { flags: [] as string[], env: {} as Record<string, string>, volumes: [] as string[], ports: [] as string[] }
  const withValue = ['-e', '-v', '-p', '--name', '--restart', '--tmpfs']
  for (let index = 0; index < words.length; index += 1) {
    const [word = '', value = ''] = words.slice(index, index + 2)
    if (!withValue.includes(word)) found.flags.push(word)
    else {
      index += 1
      if (word === '-e') found.env[value.slice(0, value.indexOf('='))] = value.slice(value.indexOf('=') + 1)
      else if (word === '-v') found.volumes.push(value)
      else if (word === '-p') found.ports.push(value)
      else found.flags.push(`${word} ${value}`)
    }
  }
  return found
}

/** The lines of code blocks in the guides that start with `prefix`, without it. Another test runs the examples of `cli.md`. */
function listCommands(prefix: string): string[] {
  const folder = join(projectFolder, 'docs')
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'cli.md')
  const text = pages.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  return Array.from(text.matchAll(new RegExp(`^ *${prefix} ([^#\\n]+)`, 'gm')), ([, command = '']) => command.trim())
}

let image: ReturnType<typeof buildImage>
let container: Container
let github: FakeGitHub
let address = ''
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-image-'))
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  writeQuickNpm(programs)
  const path = [programs, dirname(process.execPath), process.env['PATH']].join(delimiter)
  image = buildImage({
    context: projectFolder,
    to: join(folder, 'image'),
    env: { ...process.env, PATH: path, npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' },
  })
  github = await startFakeGitHub()
  container = await startContainer(image, { ...documented.env, CHROMIUM_PATH: 'off', ...toAppSettings(github) })
  await container.untilHealthy()
  address = /"address":"(http:[^"]+)"/.exec(container.output())?.[1] ?? ''
  github.webhookUrl = `${address}/api/github/webhooks`
}, 300_000)
afterAll(async () => {
  await container?.stop()
  await github?.close()
  removeImage(folder)
})

describe('the image', () => {
  test('contains the app and nothing else', () => {
    expect(readdirSync(join(image.root, 'app')).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json'])
    expect(readdirSync(join(image.root, 'app/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'openapi-pages-app',
      'playwright-core',
    ])
    expect(image).toMatchObject({ user: 'node', volumes: ['/data'], ports: ['3000'] })
  })

  test('has the package at the paths of the systemd unit and its documentation', () => {
    const texts = [page, 'deploy/openapi-pages.service'].map((path) => readFileSync(join(projectFolder, path), 'utf8'))
    const text = texts.join('\n')
    const paths = Array.from(text.matchAll(/\/opt\/openapi-pages(\/\S+)/g), ([, path = '']) => join(image.root, 'app', path))
    expect(paths.length).toBeGreaterThan(2)
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })

  test('starts with the documented command', () => {
    expect(documented.flags).toEqual(expect.arrayContaining(['--init', '--read-only', '--tmpfs /tmp']))
    expect(documented.volumes).toEqual([`openapi-pages:${image.volumes[0]}`])
    expect(documented.ports).toEqual([`127.0.0.1:3000:${image.ports[0]}`])
    expect(Object.keys(documented.env)).toEqual(['BASE_URL', 'SITES_DOMAIN', 'TRUST_PROXY'])
    const known = Object.values(settings).map(({ env }) => env)
    for (const name of [...Object.keys(documented.env), 'HOST', 'PORT', 'DATA_DIR', 'LOG_FORMAT']) expect(known).toContain(name)
  })

  test('checks a push and hosts its site, with a read-only file system', { timeout: 60_000 }, async () => {
    const files = readTree(join(projectFolder, 'examples/petstore'))
    const repository = github.createRepository('acme/docs', { files })
    await repository.push({ files: { 'new.mdx': '# New\n' } })
    const { updates } = await untilIdle(container.toPath('/data'), 50_000)
    expect(updates).toMatchObject([{ update: { status: 'success' } }])
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
    const site = await askSite(address, 'acme-docs.sites.example.com', '/new/', { headers: { 'X-Forwarded-Proto': 'https' } })
    expect([site.status, site.text]).toEqual([200, expect.stringContaining('New')])
    expect(readdirSync(container.toPath('/tmp'))).toEqual([])
  })

  test('runs every documented command as its user', { timeout: 180_000 }, async () => {
    const commands = listCommands('docker exec openapi-pages').filter((command) => !command.startsWith('cat '))
    expect(commands.length).toBeGreaterThan(1)
    const [project = ''] = /prj_[0-9a-f]{24}/.exec((await container.exec(['openapi-pages-app', 'project', 'list'])).stdout) ?? []
    const all = listCommands('openapi-pages-app').map((command) => `openapi-pages-app ${command}`)
    // The last one needs PostgreSQL.
    const others = all.filter((command) => !/backup|migrate-store/.test(command))
    expect(others.length).toBeGreaterThan(8)
    for (const command of [...commands, ...others]) {
      const words = Array.from(
        command.replaceAll(/prj_(?:…|\w+)/g, project).matchAll(/"([^"]*)"|\S+/g),
        ([word, quoted]) => quoted ?? word,
      )
      const { code, stdout, stderr } = await container.exec(words)
      // There is no deleted project and no second token.
      const isExpected = /restore|revoke tok_…/.test(command)
      expect.soft([command, code === 0 || isExpected, stderr]).toEqual([command, true, expect.not.stringMatching(/\n\s+at /)])
      expect.soft(stdout + stderr).not.toMatch(/unexpected error|EACCES/)
    }
  })

  test('explains in one line why it cannot write', async () => {
    const result = await container.exec(['openapi-pages-app', 'backup', '/app/backups/today'])
    const data = container.toPath('/data')
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `openapi-pages: cannot create ${container.toPath('/app/backups/today')}: permission denied\n  Name a directory that this user can create, such as ${data}/backups/today\n`,
    })
  })

  test('restores a backup, and keeps its data without the first container', { timeout: 60_000 }, async () => {
    expect((await container.exec(['openapi-pages-app', 'backup', 'backups/today'])).code).toBe(0)
    const projects = (await container.exec(['openapi-pages-app', 'project', 'list'])).stdout
    expect(await container.stop()).toBe(0)
    for (const name of readdirSync(container.toPath('/data')).filter((name) => name !== 'backups'))
      removeImage(container.toPath(`/data/${name}`))
    for (const name of readdirSync(container.toPath('/data/backups/today')))
      expect((await container.exec(['cp', `backups/today/${name}`, '.'])).code).toBe(0)
    container = await startContainer(image, { ...documented.env, CHROMIUM_PATH: 'off', ...toAppSettings(github) })
    await container.untilHealthy()
    expect((await container.exec(['openapi-pages-app', 'project', 'list'])).stdout).toBe(projects)
    expect(existsSync(container.toPath('/data/link.key'))).toBe(true)
  })
})
