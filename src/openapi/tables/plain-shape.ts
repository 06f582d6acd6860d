import type { Shape } from './shape.ts'

/** The shape of any text; others are made from it. */
export const plainShape: Shape = {
  kind: 'text',
  table: undefined,
  inner: undefined,
  choices: [],
  minimum: 0,
  unique: false,
  text: undefined,
}
