import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestPostgres } from './postgres.ts'

/** Where Debian installs it. */
const program = '/usr/sbin/pgbouncer'

export const hasPgBouncer = existsSync(program)

/** The names of the sockets. */
const ports = { session: 6_432, transaction: 6_433 } as const

/**
 * Starts PgBouncer on a Unix socket in the folder of a server. It refuses to run as root, so root starts it as the user of the server.
 *
 * @param url The URL of a database of the server.
 */
export async function startPgBouncer(
  server: TestPostgres,
  { url, mode }: { readonly url: string; readonly mode: keyof typeof ports },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { folder, user } = server
  const port = ports[mode]
  const settings = [
    'listen_addr =',
    `listen_port = ${port}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
    `pool_mode = ${mode}`,
  ]
  const file = join(folder, `pgbouncer-${mode}.ini`)
  writeFileSync(file, `[databases]\n* = host=${folder} user=postgres\n[pgbouncer]\n${settings.join('\n')}\n`)
  const child = spawn(program, [file], { ...user, cwd: folder, stdio: 'ignore' })
  while (!existsSync(join(folder, `.s.PGSQL.${port}`))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`)
    await sleep(20)
  }
  return {
    url: `${url}&port=${port}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
