import { backupCommand } from './backup.ts'
import { doctorCommand } from './doctor.ts'
import { projectCommand } from './project.ts'
import { reconcileCommand } from './reconcile.ts'
import { serveCommand } from './serve.ts'
import { tokenCommand } from './token.ts'

export interface CommandInput {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Command {
  readonly help: string
  readonly options?: Readonly<Record<string, { type: 'string' | 'boolean' }>>
  /** How many words follow its name; of a command with actions, what follows each. */
  readonly takes: number | Readonly<Record<string, { readonly words: number; readonly options?: readonly string[] }>>
  /** Answers the exit code. */
  readonly run: (input: CommandInput) => Promise<number>
}

/** Every command of the app, by name. */
export const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  doctor: doctorCommand,
  token: tokenCommand,
  project: projectCommand,
  backup: backupCommand,
  reconcile: reconcileCommand,
}
