import { setSecret } from '@actions/core'
import type { ActionReport } from './action-report.ts'
import { decideRun } from './decide-run.ts'
import { readEvent } from './event.ts'
import { readInputs } from './inputs.ts'
import { publishReport } from './publish-report.ts'
import { runAction } from './run-action.ts'

const workspace = process.env['GITHUB_WORKSPACE'] || process.cwd()
const noRun: ActionReport = {
  mode: 'check',
  branch: undefined,
  note: undefined,
  boundary: workspace,
  update: undefined,
  updates: [],
  commitSha: undefined,
  failures: [],
}

const read = readInputs()
const settings = read.kind === 'read' ? read.inputs : ({ failOn: 'error', failOnDrift: false } as const)
const { passed } = await publishReport(await run(), settings, process.env)
if (!passed) process.exitCode = 1

async function run(): Promise<ActionReport> {
  if (read.kind === 'refused') return { ...noRun, failures: read.faults }
  const { inputs } = read
  if (inputs.token !== undefined) setSecret(inputs.token)
  try {
    const event = await readEvent(process.env)
    const decision = decideRun(inputs, event)
    if (decision.kind === 'skip') return { ...noRun, note: decision.note }
    return await runAction(workspace, inputs, decision, event.sha)
  } catch (error) {
    return { ...noRun, failures: [error] }
  }
}
