import { parseArgs } from 'node:util'
import { ConfigError } from '../errors.ts'
import { escapeText } from '../text/escape-text.ts'
import { suggest } from '../text/suggest.ts'
import type { Command, CommandInput } from './commands/commands.ts'

type Words = Pick<CommandInput, 'values' | 'positionals'>

/**
 * Tells the options of a command from its other words.
 *
 * @throws {ConfigError} for an option that it does not know, or that lacks its value or has one too many.
 */
export function parseWords(name: string, args: readonly string[], options: NonNullable<Command['options']>): Words {
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
  } catch (error) {
    // The library tells names only inside its sentences, `'-d, --days <value>'`.
    const message = error instanceof Error ? error.message : String(error)
    const option = escapeText(/'[^'-]*(--?[^\s'<]*)/.exec(message)?.[1] ?? '')
    const help = `See \`openapi-pages ${name} --help\`.`
    if (message.startsWith('Unknown')) {
      const near = suggest(option.slice(2), Object.keys(options))
      const hint = near === undefined ? help : `did you mean --${near}? ${help}`
      throw new ConfigError(`unknown option ${option} for \`${name}\``, { hint, cause: error })
    }
    const fault = message.includes('does not take') ? 'unexpected' : 'missing'
    throw new ConfigError(`${fault} value of ${option} for \`${name}\``, { hint: help, cause: error })
  }
}

/**
 * Holds a command line to what its command does something with: a second token that is to be revoked must not pass for done.
 *
 * @throws {ConfigError} for an action that there is not, and for words and options that would do nothing.
 */
export function checkWords(name: string, takes: Command['takes'], { values, positionals }: Words): void {
  const hint = `See \`openapi-pages ${name} --help\`.`
  if (typeof takes === 'number') {
    const excess = positionals[takes]
    if (excess !== undefined) throw new ConfigError(`unexpected argument ${escapeText(excess)} for \`${name}\``, { hint })
    return
  }
  const [action, ...rest] = positionals
  const known = `known are ${Object.keys(takes).join(', ')}`
  if (action === undefined) throw new ConfigError(`missing action for \`${name}\``, { hint: known })
  const taken = Object.hasOwn(takes, action) ? takes[action] : undefined
  if (!taken) throw new ConfigError(`unknown action ${escapeText(action)} for \`${name}\``, { hint: known })
  const excess = rest[taken.words]
  const called = `\`${name} ${action}\``
  if (excess !== undefined) throw new ConfigError(`unexpected argument ${escapeText(excess)} for ${called}`, { hint })
  const idle = Object.keys(values).find((option) => !taken.options?.includes(option))
  if (idle !== undefined) throw new ConfigError(`unexpected --${idle} for ${called}`, { hint })
}
