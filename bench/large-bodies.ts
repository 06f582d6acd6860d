import { fork, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { webhookPath } from '../src/app/setup/manifest.ts'

// Sends large bodies to a server over unauthenticated connections, and measures its memory and its health check.

const help = `npm run bench -- large-bodies [--connections N] [--megabytes N] [--seconds N]

  --connections N  concurrent connections (default 200), reopened when the server closes them
  --megabytes N    size of each body (default 23)
  --seconds N      time for each kind of body (default 15)

Prints the peak memory and the response times of /healthz. Requires Linux, because it reads /proc.`

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '200' },
    megabytes: { type: 'string', default: '23' },
    seconds: { type: 'string', default: '15' },
    attack: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

const usual = { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': 'bench' }
const signature = { 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` }
const kinds: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['webhooks without a signature', webhookPath, usual],
  ['webhooks with a wrong signature', webhookPath, { ...usual, ...signature }],
  ['reports without a token', '/v1/project/report', { 'Content-Type': 'application/json' }],
]

if (values.help) console.log(help)
else if (values.attack) attackFor(JSON.parse(values.attack) as Attack)
else await measure()

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  console.log(
    '| bodies | sent MB | responses | peak MB | p50 ms | p99 ms | max ms |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |',
  )
  for (const kind of kinds) {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/serve.js')], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(folder, kind[0]),
        PORT: '0',
        LOG_FORMAT: 'json',
        SITES_DOMAIN: 'off',
        GITHUB_URL: 'http://127.0.0.1:9',
        GITHUB_APP_ID: '1',
        GITHUB_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        GITHUB_WEBHOOK_SECRET: 'a-secret-of-the-benchmark',
      },
    })
    let output = ''
    child.stdout.on('data', (data) => {
      if (output.length < 10_000) output += data
    })
    try {
      const until = Date.now() + 30_000
      while (!/"address":"http:[^"]+"/.test(output) && Date.now() < until) await sleep(50)
      const address = /"address":"(http:[^"]+)"/.exec(output)?.[1]
      if (address === undefined || child.pid === undefined) throw new Error(`The server did not start:\n${output}`)
      console.log(await measureKind(kind, new URL(address), child.pid))
    } finally {
      child.kill('SIGKILL')
    }
  }
  rmSync(folder, { recursive: true, force: true })
}

interface Attack {
  readonly hostname: string
  readonly port: number
  readonly head: string
  readonly size: number
}

interface Sent {
  readonly megabytes: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Sends bodies until the parent asks for the result. Runs in a separate process so that it does not delay the probe. */
function attackFor({ hostname, port, head, size }: Attack): void {
  const chunk = Buffer.alloc(64 * 1024, 32)
  const statuses: Record<string, number> = {}
  let sent = 0
  const attack = () => {
    const socket = connect(port, hostname)
    let left = size
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length
        sent += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', send)
      }
    }
    socket.once('data', (data) => {
      const status = data.toString('latin1').slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    socket.on('error', () => undefined)
    socket.once('close', () => setTimeout(attack, 20))
    socket.once('connect', () => {
      socket.write(head)
      send()
    })
  }
  for (let index = 0; index < Number(values.connections); index += 1) attack()
  process.once('message', () => {
    const result: Sent = { megabytes: Math.round(sent / 1024 / 1024), statuses }
    process.send?.(result, () => process.exit())
  })
}

async function measureKind([name, path, headers]: (typeof kinds)[number], url: URL, pid: number): Promise<string> {
  const size = Number(values.megabytes) * 1024 * 1024
  const lines = Object.entries({ Host: url.host, 'Content-Length': String(size), ...headers }).map(
    ([key, value]) => `${key}: ${value}`,
  )
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const attack: Attack = { hostname: url.hostname, port: Number(url.port), head, size }
  const attacker = fork(import.meta.filename, ['--attack', JSON.stringify(attack), '--connections', values.connections])

  const times: number[] = []
  let peak = 0
  const until = performance.now() + Number(values.seconds) * 1000
  while (performance.now() < until) {
    times.push(await timeHealth(url))
    peak = Math.max(peak, readResidentMb(pid))
    await sleep(20)
  }
  attacker.send('stop')
  // The only message of this process.
  const [{ megabytes, statuses }] = (await once(attacker, 'message')) as [Sent]
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  const shown = Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
  return `| ${name} | ${megabytes} | ${shown} | ${Math.round(peak)} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`
}

/** Opens a new connection for each request, like a probe. */
async function timeHealth(url: URL): Promise<number> {
  const start = performance.now()
  await new Promise<void>((resolve, reject) => {
    const call = request(new URL('/healthz', url), { agent: false }, (response) => response.resume().once('end', resolve))
    call.once('error', reject).end()
  })
  return performance.now() - start
}

function readResidentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
