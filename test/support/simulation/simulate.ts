import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compile-cache.ts'
import type { SimulationLine, SimulationProgram } from './run-simulation.ts'

type Failed = Extract<SimulationLine, { kind: 'failed' }>

interface Simulated {
  /** One text for each failed history. */
  readonly failed: readonly string[]
  readonly end: Extract<SimulationLine, { kind: 'end' }>
}

/** The environment variable that plays one history again: the JSON of a `SimulationRequest`. */
export const replayVariable = 'OPENAPI_PAGES_SIMULATION'

/**
 * Plays the histories of several requests, one after the other, in another process.
 *
 * @param longestMs A process that a mutant keeps from ending is killed.
 * @returns One result for each request.
 * @throws {Error} if the process ends without them.
 */
export async function simulate(play: SimulationProgram, longestMs?: number): Promise<readonly Simulated[]> {
  const program = fileURLToPath(new URL('./run-simulation.ts', import.meta.url))
  const jsxLoader = new URL('../../../scripts/jsx-loader.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--import', jsxLoader, program, JSON.stringify(play)], {
    env: { PATH: process.env['PATH'], ...compileCache },
    ...(longestMs !== undefined && { timeout: longestMs, killSignal: 'SIGKILL' }),
    stdio: ['ignore', 'pipe', play.requests.some(({ isVerbose }) => isVerbose) ? 'inherit' : 'pipe'],
  })
  const output: string[] = []
  const errors: string[] = []
  child.stdout?.on('data', (data: Buffer) => output.push(data.toString()))
  child.stderr?.on('data', (data: Buffer) => errors.push(data.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  const results: Simulated[] = []
  let failed: string[] = []
  for (const text of output.join('').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as SimulationLine // It writes only such lines.
    if (line.kind === 'failed') failed.push(format(line, play))
    else {
      results.push({ end: line, failed })
      failed = []
    }
  }
  if (results.length < play.requests.length) throw new Error(`The simulation ended early:\n${errors.join('')}`)
  return results
}

function format({ history, violations, lines }: Failed, { databaseUrl }: SimulationProgram): string {
  const { seed, isCalm, kept } = history
  const replay = JSON.stringify({ firstSeed: seed, ...(isCalm && { isCalm }), kept })
  return [
    `Seed ${seed} fails on ${databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'}:`,
    ...lines.map((line, index) => `  ${index + 1}. ${line}`),
    'What is wrong:',
    ...violations.map((violation) => `  - ${violation}`),
    `To see every step: ${replayVariable}='${replay}' npx vitest run --project nightly test/soak/simulation.test.ts`,
  ].join('\n')
}
