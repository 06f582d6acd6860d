import { toRequest } from '../to-request.ts'
import type { PlaygroundOperation, PlaygroundValues } from '../types.ts'
import { type SendOptions, sendRequest } from './send-request.ts'

/** Sends the request that the filled-in values of an operation are. Never rejects. */
export function sendValues(
  operation: PlaygroundOperation,
  values: PlaygroundValues,
  options: Omit<SendOptions, 'request'>,
): Promise<void> {
  const { request } = toRequest(operation, values, { base: location.href, purpose: 'send' })
  return sendRequest({ ...options, request })
}
