import { execFileSync, spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { problems } from '../../src/app/http/problem-details.ts'
import { formatSettingsTable } from '../../src/app/settings.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from './support/test-app.ts'

const root = join(import.meta.dirname, '../..')
const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').trimEnd().split('\n')

/** The arguments of an instruction, in JSON or shell form. */
function read(instruction: string): string[][] {
  const found = lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))
  return found.map((text) => (text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(' ')))
}

describe('Dockerfile', () => {
  test('uses Node 24 slim without root, has a health check, and fits in 25 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(25)
    expect(read('FROM')).toEqual([['node:24-slim']])
    expect(read('USER')).toEqual([['node']])
    expect(read('ENV')[0]).toContain('HOST=0.0.0.0')
    expect(lines.findIndex((line) => line.startsWith('USER'))).toBeLessThan(lines.findIndex((line) => line.startsWith('CMD')))
    expect(lines.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
  })

  test('installs, starts and passes its health check in an empty folder, and exits with 0 on SIGTERM', async () => {
    const folder = makeTemporaryFolder()
    const given = Object.fromEntries((read('ENV')[0] ?? []).map((pair) => pair.split('=') as [string, string]))
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...given,
      HOST: '127.0.0.1',
      PORT: '3917',
      DATA_DIR: join(folder, 'data'),
    }
    const install = lines.find((line) => line.startsWith('RUN npm '))?.slice(4) ?? ''
    const copies = read('COPY').map((words) => words.slice(0, -1))
    for (const name of copies[0] ?? []) cpSync(join(root, name), join(folder, basename(name)))
    execFileSync('sh', ['-c', `${install} --prefer-offline`], { cwd: folder, env, stdio: 'pipe' })
    for (const name of copies.slice(1).flat()) cpSync(join(root, name), join(folder, name), { recursive: true })
    expect(readdirSync(folder).sort()).toEqual(['bin', 'build', 'node_modules', 'package-lock.json', 'package.json'])
    const [command = '', ...args] = read('CMD')[0] ?? []
    expect(command).toBe('node')
    const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data))
    const health = JSON.parse(
      /^HEALTHCHECK .*CMD (\[.*\])$/.exec(lines.find((line) => line.startsWith('HEALTHCHECK')) ?? '')?.[1] ?? '[]',
    ) as string[]
    const check = () => {
      try {
        execFileSync(process.execPath, health.slice(1), { cwd: folder, env, stdio: 'ignore' })
        return 'healthy'
      } catch {
        return `not healthy: ${output}`
      }
    }
    expect(check()).toMatch(/^not healthy/)
    await expect.poll(check, { timeout: 90_000, interval: 250 }).toBe('healthy')
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  }, 180_000)
})

describe('the documentation', () => {
  test('docs/self-hosting.md contains the current table of settings', () => {
    const text = readFileSync(join(root, 'docs/self-hosting.md'), 'utf8')
    expect(/<!-- settings-start -->\n([\s\S]*?)<!-- settings-end -->/.exec(text)?.[1]?.trim()).toBe(formatSettingsTable())
  })

  test('docs/status-api.md has a heading for every code, and a heading for every call', async () => {
    const text = readFileSync(join(root, 'docs/status-api.md'), 'utf8')
    const headings = [...text.matchAll(/^#{2,4} `?([^`\n]+)`?$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(expect.arrayContaining(Object.keys(problems)))
    const app = await startTestApp(onTestFinished)
    const paths = Object.entries(app.api.description['paths'] as Record<string, object>)
    const calls = paths.flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    expect(headings).toEqual(expect.arrayContaining(calls))
  })
})
