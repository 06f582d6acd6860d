import type { VNode } from 'preact'
import { say } from './playground-messages.ts'

/** A text with one placeholder, filled in with an element. */
export function sayWith(text: Parameters<typeof say>[0], element: VNode): readonly (string | VNode | undefined)[] {
  const [before, after] = say(text, mark).split(mark)
  return [before, element, after]
}

/** Not part of any text. */
const mark = '\0'
