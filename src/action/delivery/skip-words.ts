import { ConfigError } from '../../errors.ts'

/** Source: GitHub, "Skipping workflow runs". */
const words = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: *true *$/gim

export const skipWord = '[skip ci]'

/**
 * Refuses a message that keeps workflows from running where it becomes the head of a pull request: its required checks would wait for ever.
 *
 * @throws {ConfigError}
 */
export function refuseSkipWords(message: string, isAskedFor: boolean): void {
  const [found] = message.match(words) ?? []
  if (!isAskedFor && found === undefined) return
  const what = isAskedFor
    ? 'Unexpected `true` for the input `skip-ci`'
    : `Unexpected \`${found}\` in the input \`commit-message\``
  throw new ConfigError(`${what}: the commit becomes the head of a pull request`, {
    hint: 'workflows that are skipped leave required checks waiting for ever; nothing is needed against loops, a run on its own commit does nothing',
  })
}

/** The message without such words, for a commit that goes to a pull request although it was to go to a branch. */
export function dropSkipWords(message: string): string {
  return message
    .replaceAll(words, '')
    .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
    .trim()
}
