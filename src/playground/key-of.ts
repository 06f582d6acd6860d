import type { PlaygroundParameter } from './types.ts'

/** What the value of a parameter is kept by: a name is used once in each location. */
export function keyOf({ in: location, name }: Pick<PlaygroundParameter, 'in' | 'name'>): string {
  return `${location} ${name}`
}
