import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that tells nothing of where they differ. */
export function equalSecrets(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
