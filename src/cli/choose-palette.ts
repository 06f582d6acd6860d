import { styleText } from 'node:util'
import { type Palette, plainPalette } from '../diagnostic/palette.ts'
import type { CliContext, Output } from './cli-context.ts'

/**
 * The colours for one stream: what the command line says, else the variables that tools share, else colours on a terminal only.
 *
 * @see https://no-color.org
 */
export function choosePalette(output: Output, { env }: CliContext, color: boolean | undefined): Palette {
  return (color ?? isWantedBy(env, output)) ? colours : plainPalette
}

function isWantedBy(env: CliContext['env'], output: Output): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return output.isTerminal && env['TERM'] !== 'dumb'
}

const style =
  (...formats: Parameters<typeof styleText>[0][]) =>
  (text: string): string =>
    formats.reduce((styled, format) => styleText(format, styled, { validateStream: false }), text)

const colours: Palette = {
  error: style('red'),
  warning: style('yellow'),
  info: style('cyan'),
  success: style('green'),
  strong: style('bold'),
  dim: style('dim'),
}
