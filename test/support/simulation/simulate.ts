import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compile-cache.ts'
import type { SimulationLine, SimulationRequest } from './run-simulation.ts'

type Failed = Extract<SimulationLine, { kind: 'failed' }>

interface Simulated {
  /** One text for each failed history. */
  readonly failed: readonly string[]
  readonly end: Extract<SimulationLine, { kind: 'end' }>
}

/** The environment variable that plays one history again: the JSON of a `SimulationRequest`. */
export const replayVariable = 'OPENAPI_PAGES_SIMULATION'

/** Plays histories in another process. @throws {Error} if it ends without a result. */
export async function simulate(request: SimulationRequest): Promise<Simulated> {
  const program = fileURLToPath(new URL('./run-simulation.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(request)], {
    env: { PATH: process.env['PATH'], ...compileCache },
    stdio: ['ignore', 'pipe', request.isVerbose ? 'inherit' : 'pipe'],
  })
  const output: string[] = []
  const errors: string[] = []
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()))
  child.stderr?.on('data', (data: Buffer) => errors.push(data.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  // It writes only such lines.
  const lines = output
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SimulationLine)
  const end = lines.find((line) => line.kind === 'end')
  if (!end) throw new Error(`The simulation ended early:\n${errors.join('')}`)
  return { end, failed: lines.filter((line) => line.kind === 'failed').map((line) => format(line, request)) }
}

function format({ history, violations, lines }: Failed, { databaseUrl }: SimulationRequest): string {
  const { seed, isCalm, kept } = history
  const replay = JSON.stringify({ firstSeed: seed, ...(isCalm && { isCalm }), kept })
  return [
    `Seed ${seed} fails on ${databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'}:`,
    ...lines.map((line, index) => `  ${index + 1}. ${line}`),
    'Once everything works again and nothing more happens:',
    ...violations.map((violation) => `  - ${violation}`),
    `To see every step: ${replayVariable}='${replay}' npx vitest run --project soak test/soak/simulation.test.ts`,
  ].join('\n')
}
