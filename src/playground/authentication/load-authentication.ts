import type { PlaygroundOperation } from '../types.ts'

/** Whether an operation asks for credentials, at least as an alternative. */
export function asksForCredentials({ security }: PlaygroundOperation): boolean {
  return security.some((one) => one.length > 0)
}

/** What asks for them; loaded with the form where it is wanted. */
export const getAuthentication = () => import('./authentication.tsx')
