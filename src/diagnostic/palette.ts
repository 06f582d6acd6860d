/** How parts of a report are coloured. Each takes a text and gives it back with or without colour; every line reads without. */
export interface Palette {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly success: (text: string) => string
  /** What matters: the place, the line of the fault. */
  readonly strong: (text: string) => string
  /** What matters less: lines around, addresses. */
  readonly dim: (text: string) => string
}

const same = (text: string): string => text

/** No colours: files, pipes, `NO_COLOR`. */
export const plainPalette: Palette = { error: same, warning: same, info: same, success: same, strong: same, dim: same }
