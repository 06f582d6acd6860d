import { spawnSync } from 'node:child_process'
import { type ProgramRequest, readMessage, writeMessage } from './pipe-messages.ts'

// The process that `run-program.ts` starts. It ends with the process of the tests, whose end of the pipe closes.

const [input, output] = [0, 1]
const next = () => readMessage(input) as ProgramRequest | undefined // Only `run-program.ts` writes there.
for (let request = next(); request; request = next()) {
  const { command, args, cwd, env } = request
  const given = request.input === undefined ? undefined : Buffer.from(request.input, 'base64')
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    stdio: [given ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
    ...(given && { input: given }),
  })
  const toText = (bytes: Buffer | null) => bytes?.toString('base64') ?? ''
  writeMessage(output, { status, error: error?.message, stdout: toText(stdout), stderr: toText(stderr) })
}
