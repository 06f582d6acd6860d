import { ThrownValue } from '../values/evaluation.ts'
import { globalNames } from '../values/global-names.ts'
import { reactNames, reactObject } from '../values/react-names.ts'
import type { Evaluation, GlobalNames, Scope, Value } from '../values/types.ts'
import type { MdxPlace } from '../values/values.ts'
import { findBinding, readBinding } from './name-scope.ts'

/** Reads a name in scope, or a global one. */
export function readName(name: string, scope: Scope, { globals }: Evaluation, place: MdxPlace): Value {
  const binding = findBinding(scope, name)
  return binding ? readBinding(binding) : globals.read(name, place)
}

/** Whether a name has a value. `typeof` of others is `undefined`, as on a server: `window`, `document`. */
export function isKnownName(name: string, scope: Scope, { globals }: Evaluation): boolean {
  return findBinding(scope, name) !== undefined || globals.has(name)
}

/** The names of pages: of the language, of React, and components of the site. */
export const pageNames: GlobalNames = {
  has: (name) => globalNames.has(name) || reactNames.has(name) || name === 'React',
  read: readPageName,
}

function readPageName(name: string, place: MdxPlace): Value {
  if (globalNames.has(name)) return globalNames.get(name)
  if (reactNames.has(name)) return reactNames.get(name)
  if (name === 'React') return reactObject
  // Components of the site can be used as values: `const Tag = href ? Card : 'div'`.
  if (/^[A-Z]/.test(name) && !hostNames.has(name)) return { kind: 'component', name }
  throw new ThrownValue(`uses \`${name}\``, place, `${name} is not defined`)
}

/** Classes of the host that are not components. */
const hostNames = new Set(
  'Date Intl Promise Function Symbol Proxy Reflect WeakMap WeakSet WeakRef URL URLSearchParams Blob File FormData Headers Request Response Worker'
    .concat(
      ' WebSocket EventSource XMLHttpRequest AbortController Event CustomEvent Buffer ArrayBuffer DataView Uint8Array Atomics',
    )
    .concat(
      ' SharedArrayBuffer TextEncoder TextDecoder IntersectionObserver MutationObserver ResizeObserver Audio Notification BigInt Element',
    )
    .concat(' HTMLElement Node Document Window Navigator Storage WebAssembly')
    .split(' '),
)
