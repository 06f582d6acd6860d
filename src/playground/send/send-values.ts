import { listHolds } from '../find-request-problems.ts'
import type { OtherBodies } from '../other-bodies.ts'
import { toRequest } from '../to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from '../types.ts'
import { type SendOptions, sendRequest } from './send-request.ts'

/** Sends the request that the filled-in values of an operation are, unless its address would be wrong: whether it is held back for that. */
export function sendValues(
  operation: PlaygroundOperation,
  values: PlaygroundValues,
  others: OtherBodies | undefined,
  options: Omit<SendOptions, 'request'>,
): boolean {
  const { request, problems } = toRequest(operation, values, { base: location.href, purpose: 'send', others })
  const isHeld = listHolds(problems).length > 0
  // It tells by itself what becomes of it, and never rejects.
  if (!isHeld) void sendRequest({ ...options, request })
  return isHeld
}
