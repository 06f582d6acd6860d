/** A status code in the colour of its class. */
export function StatusMark({ statusCode }: { readonly statusCode: string }) {
  const kind = { 2: 'ok', 3: 'run', 4: 'warn', 5: 'bad' }[statusCode.charAt(0)] ?? 'other'
  return <span class={`st ${kind} num`}>{statusCode}</span>
}
