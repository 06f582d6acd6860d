import { formatCount } from '../../diagnostics/diagnostic.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { listFirst } from '../../text/plain/lists.ts'
import type { Change, ClientEffect, ComparedClient } from '../change.ts'

/** The most clients that are named for one effect. */
const maxNamed = 5

const effectWords = [
  ['hurts', 'breaks'],
  ['may-hurt', 'may break'],
  ['unknown', 'unknown for'],
  ['safe', 'not'],
] as const

/** What a change does to clients, on one line: "breaks `web` (sends `price`), not `batch`". Absent without clients and if it is compatible. */
export function describeClients({ level, clients = [] }: Pick<Change, 'level' | 'clients'>): string | undefined {
  if (level === 'compatible' || clients.length === 0) return undefined
  const parts = effectWords.flatMap(([effect, words]) => {
    const own = clients.filter((one) => one.effect === effect)
    const nameOne = ({ client, why }: ClientEffect) => `\`${toOneLine(client)}\` (${why})`
    return own.length === 0 ? [] : [`${words} ${listFirst(own, maxNamed, nameOne)}`]
  })
  return parts.length > 0 ? parts.join(', ') : `touches none of ${nameAll(clients)}`
}

function nameAll(clients: readonly ClientEffect[]): string {
  return formatCount(clients.length, 'recorded client')
}

/** What breaking and risky changes do to clients together, as plain text. Absent without clients. */
export function summarizeClients(changes: readonly Pick<Change, 'level' | 'accepted' | 'clients'>[]): string | undefined {
  const counted = changes.filter(({ level, accepted, clients = [] }) => level !== 'compatible' && !accepted && clients.length > 0)
  const [first] = counted
  if (!first?.clients) return undefined
  const has = (effect: ClientEffect['effect']) =>
    counted.filter(({ clients = [] }) => clients.some((one) => one.effect === effect))
  const hurting = has('hurts')
  const perhaps = [...new Set([...has('may-hurt'), ...has('unknown')])].filter((one) => !hurting.includes(one))
  const none = counted.filter(({ clients = [] }) => clients.every(({ effect }) => effect === 'unused'))
  const [only] = hurting.flatMap(({ clients = [] }) => clients.filter(({ effect }) => effect === 'hurts'))
  const named =
    only?.operation && hurting.length === 1 ? `${only.operation.method.toUpperCase()} ${only.operation.path} breaks ${only.client} (${only.why})` : undefined
  const parts = [
    ...(hurting.length > 0 ? [named ?? `${hurting.length} ${hurting.length === 1 ? 'breaks' : 'break'} a recorded client`] : []),
    ...(perhaps.length > 0 ? [`${perhaps.length} may break one`] : []),
    ...(none.length > 0 ? [`${none.length} ${none.length === 1 ? 'touches' : 'touch'} none of ${nameAll(first.clients)}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : undefined
}

/** The clients of which the revision changes what is known, as a sentence: a smaller record can hide that a change breaks a client. */
export function describeChangedClients(clients: readonly ComparedClient[] = []): string | undefined {
  const states = (['removed', 'narrowed', 'added'] as const).flatMap((state) => {
    const own = clients.filter((one) => one.state === state)
    return own.length === 0 ? [] : [`${state} ${listFirst(own, maxNamed, ({ client }) => `\`${toOneLine(client)}\``)}`]
  })
  return states.length === 0 ? undefined : `Records of clients: ${states.join(', ')}`
}
