import { styleText } from 'node:util'
import type { Palette } from '../diagnostic/format-text.ts'

const style =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false })

/** The colours of a terminal. Whether they are wanted is for the caller to know. */
export const terminalPalette: Palette = {
  error: style('red'),
  warning: style('yellow'),
  info: style('cyan'),
  success: style('green'),
  strong: style('bold'),
  dim: style('dim'),
}
