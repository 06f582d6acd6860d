import { type Palette, plainPalette } from '../diagnostic/format-text.ts'
import type { CliContext, Output } from './cli-context.ts'
import { terminalPalette } from './terminal-palette.ts'

/**
 * The colours for one stream: what the command line says, else the variables that tools share, else colours on a terminal only.
 *
 * @see https://no-color.org
 */
export function choosePalette(output: Output, { env }: CliContext, color: boolean | undefined): Palette {
  return (color ?? isWantedBy(env, output)) ? terminalPalette : plainPalette
}

function isWantedBy(env: CliContext['env'], output: Output): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return output.isTerminal && env['TERM'] !== 'dumb'
}
