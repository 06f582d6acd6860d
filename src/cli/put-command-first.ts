import type { Command } from 'commander'

/**
 * Moves the name of the command before the options that were written in front of it, as in `openapi-pages --color update`.
 *
 * All options belong to the commands, and the parser knows those of a command only once it has read its name.
 */
export function putCommandFirst(argv: readonly string[], program: Command): string[] {
  const options = program.commands.flatMap((command) => command.options)
  const takesNextWord = (word: string) =>
    options.some((option) => option.required && (option.short === word || option.long === word))
  let index = 0
  while (argv[index]?.startsWith('-') && argv[index] !== '--') index += takesNextWord(argv[index] ?? '') ? 2 : 1
  const name = argv[index]
  if (name === undefined || name === '--') return [...argv]
  return [name, ...argv.slice(0, index), ...argv.slice(index + 1)]
}
