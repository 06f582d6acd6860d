import { readSync, writeSync } from 'node:fs'

/** What to run. Bytes are in Base64. */
export interface ProgramRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string | undefined
}

export interface ProgramResult {
  readonly status: number | null
  /** Why the program could not be started. */
  readonly error?: string | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Writes a value to a pipe, as its length and its JSON. */
export function writeMessage(file: number, value: ProgramRequest | ProgramResult): void {
  const text = Buffer.from(JSON.stringify(value))
  const message = Buffer.concat([Buffer.alloc(4), text])
  message.writeUInt32LE(text.length)
  for (let written = 0; written < message.length; ) written += writeSync(file, message, written)
}

/** Waits for such a value. `undefined` if the other process has ended. */
export function readMessage(file: number): unknown {
  const size = readBytes(file, 4)?.readUInt32LE()
  const text = size === undefined ? undefined : readBytes(file, size)
  return text && JSON.parse(text.toString())
}

function readBytes(file: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; ) {
    const count = readSync(file, bytes, at, size - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}
