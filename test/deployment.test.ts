import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings, toVariable } from '../src/app/base/config/settings.ts'
import { projectFolder } from './support/action-harness.ts'
import { readBlocks } from './support/read-blocks.ts'
import { readDockerfile, readDockerIgnore } from './support/read-dockerfile.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const page = 'docs/self-hosting.md'
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const settingNames = Object.keys(settings).map(toVariable)
const { version } = JSON.parse(read('package.json')) as { version: string }

describe('the Dockerfile', () => {
  const instructions = readDockerfile(read('Dockerfile'))

  test('builds in its first stage, and copies only the result without root', () => {
    const stages = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []))
    const last = instructions.slice(stages.at(-1))
    expect(instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text)).toEqual([
      '$NODE_IMAGE AS build',
      '$NODE_IMAGE',
    ])
    expect(instructions[0]).toMatchObject({ name: 'ARG', text: expect.stringMatching(/^NODE_IMAGE=node:\d+-slim$/) })
    expect(last.filter(({ name }) => name === 'COPY').map(({ from }) => from)).toEqual(['build', 'build'])
    expect(last.filter(({ name }) => name === 'RUN').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[ -z "\$CHROMIUM" \]/),
    ])
    // The only image that is not named by the argument would be the one of a `syntax` comment.
    expect(read('Dockerfile')).not.toMatch(/^# *syntax *=/im)
    const order = last.map(({ name }) => name)
    expect(order.indexOf('USER')).toBeLessThan(order.indexOf('CMD'))
    expect(last.find(({ name }) => name === 'HEALTHCHECK')?.text).toContain('health.js')
  })
})

test('installs the packages of the image from package-lock.json', () => {
  const commands = readDockerfile(read('Dockerfile')).flatMap(({ name, text }) => (name === 'RUN' ? text.split(' && ') : []))
  const installs = commands.filter((command) => /^npm (?!run)/.test(command))
  expect(installs).toEqual([
    expect.stringMatching(/^npm ci /),
    expect.stringMatching(/^npm install .*--ignore-scripts.* \/src\/build\/packages\/openapi-pages-app-\*\.tgz$/),
  ])
  expect(commands.indexOf('cp /src/package-lock.json .')).toBe(commands.indexOf(installs[1] ?? '') - 1)
  // npm would take the newest version of a package that the lock file does not have.
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, { version: string; integrity?: string; dependencies?: Readonly<Record<string, string>> }>>
  }
  const { dependencies } = JSON.parse(read('packages/app/package.json')) as { dependencies: Readonly<Record<string, string>> }
  const locked = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]] as const)
  expect(Object.fromEntries(locked.map(([name, found]) => [name, found?.version]))).toEqual(dependencies)
  for (const [, found] of locked) expect([found?.integrity?.slice(0, 7), found?.dependencies]).toEqual(['sha512-', undefined])
})

describe('.dockerignore', () => {
  const includes = readDockerIgnore(read('.dockerignore'))

  test.each(['package-lock.json', 'src/app/main.ts', 'packages/app/package.json', 'docs/schemas/check.schema.json'])(
    'includes %s',
    (path) => {
      expect(includes(path)).toBe(true)
    },
  )

  test.each([
    'data/github-app.json',
    'backups/2026-11-20/link.key',
    'deploy/.env',
    '.env',
    '.git/config',
    'node_modules/a/index.js',
    'build/server/main.js',
    'test/deployment.test.ts',
  ])('excludes %s', (path) => {
    expect(includes(path)).toBe(false)
  })
})

describe('the documentation of self-hosting', () => {
  test('pins this version', () => {
    const pinned = Array.from(
      read(page).matchAll(/(?:openapi-pages-app@|openapi-pages:|#v|--branch v)(\d+\.\d+\.\d+)/g),
      ([, found]) => found,
    )
    expect(pinned.length).toBeGreaterThan(2)
    expect([...new Set(pinned)]).toEqual([version])
  })
})

describe('the systemd unit', () => {
  const lines = read('deploy/openapi-pages.service').split('\n')
  const values = (key: string) => lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))

  test('starts the installed package as a user without an account, in its state directory', () => {
    expect(values('ExecStart')).toEqual(['/usr/bin/node /opt/openapi-pages/node_modules/openapi-pages-app/bin/serve.js'])
    expect(values('DynamicUser')).toEqual(['yes'])
    const [state = ''] = values('StateDirectory')
    expect(values('WorkingDirectory')).toEqual([`/var/lib/${state}`])
    const environment = Object.fromEntries((values('Environment')[0] ?? '').split(' ').map((pair) => pair.split('=')))
    expect(environment).toEqual({ NODE_ENV: 'production', DATA_DIR: `/var/lib/${state}` })
    // Longer than the server waits for running updates.
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(Number(settings.stopTimeoutSeconds.default))
  })

  test('reads known settings from its environment file', () => {
    const [file = ''] = readBlocks('As a systemd service', 'text', page)
    const names = file
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names).toEqual(['BASE_URL', 'SITES_DOMAIN', 'TRUST_PROXY'])
    for (const name of names) expect(settingNames).toContain(name)
    expect(read(page)).toContain(`\`${values('EnvironmentFile')[0]}\``)
  })
})

describe('the systemd command', () => {
  const words = read('deploy/openapi-pages-command.sh').replaceAll('\\\n', ' ')
  const unit = read('deploy/openapi-pages.service').split('\n')

  test('starts the program of the unit with its user, settings, directory and restrictions', () => {
    const properties = Array.from(words.matchAll(/--property=(?:'([^']*)'|(\S*))/g), ([, quoted, plain]) => quoted ?? plain ?? '')
    // systemd names the user of a unit after the unit.
    expect(properties.filter((line) => !unit.includes(line))).toEqual(['User=openapi-pages'])
    const needed = /^(?:Environment|EnvironmentFile|DynamicUser|StateDirectory|StateDirectoryMode|WorkingDirectory|UMask)=/
    expect(unit.filter((line) => needed.test(line) && !properties.includes(line))).toEqual([])
    const [start = ''] = unit.filter((line) => line.startsWith('ExecStart='))
    expect(words).toMatch(/^#!\/bin\/sh\n/)
    expect(words.trimEnd().endsWith(`${start.slice('ExecStart='.length)} "$@"`)).toBe(true)
  })

  test('passes all arguments unchanged, and returns the exit code', () => {
    const folder = makeTemporaryFolder({ 'systemd-run': '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n' })
    chmodSync(join(folder, 'systemd-run'), 0o755)
    const { status, stdout } = spawnSync(
      'sh',
      [join(projectFolder, 'deploy/openapi-pages-command.sh'), 'token', 'create', '--name', 'a b$c'],
      {
        env: { PATH: `${folder}:${process.env['PATH']}` },
        encoding: 'utf8',
      },
    )
    expect([status, stdout.split('\n').slice(-6)]).toEqual([
      3,
      ['/opt/openapi-pages/node_modules/openapi-pages-app/bin/serve.js', 'token', 'create', '--name', 'a b$c', ''],
    ])
  })
})

test('the compose file restricts the app, and takes its variables from example.env', () => {
  const text = read('deploy/compose.yaml')
  const { services } = parse(text) as {
    services: { app: Readonly<Record<string, unknown>> & { environment: object }; proxy: { environment: object } }
  }
  expect(services.app).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'], volumes: ['data:/data'] })
  // Only the proxy is public.
  expect(services.app).not.toHaveProperty('ports')
  for (const name of Object.keys(services.app.environment)) expect(settingNames).toContain(name)
  const used = new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name]) => name))
  const defined = Array.from(read('deploy/example.env').matchAll(/^(\w+)=/gm), ([, name]) => name)
  expect([...used].sort()).toEqual(defined.sort())
  const inCaddyfile = new Set(Array.from(read('deploy/Caddyfile').matchAll(/\{\$(\w+)\}/g), ([, name]) => name))
  expect(Object.keys(services.proxy.environment).sort()).toEqual([...inCaddyfile].sort())
})
