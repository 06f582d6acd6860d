import { splitAtMatches } from '../search/mark-words.ts'

export function toMark(method: string): Element {
  return element('span', { class: `m ${toClass(method)}` }, [method])
}

/** A page that the search offers. */
interface Option {
  readonly href: string
  readonly title: string
  readonly details: readonly string[]
  readonly snippet?: string
  readonly mark: Element
  readonly terms: readonly string[]
}

export function toOption({ href, title, details, snippet = '', mark, terms }: Option, number: number): HTMLElement {
  const text = element('span', {}, [
    ...marked(title, terms),
    // Paths are code, and written from left to right in every language.
    ...(details.length === 0
      ? []
      : [
          element(
            'small',
            {},
            details.flatMap((detail, index) => [
              ...(index > 0 ? [' · '] : []),
              element('bdi', detail.startsWith('/') ? { class: 'mono' } : {}, marked(detail, terms)),
            ]),
          ),
        ]),
    ...(snippet === '' ? [] : [element('small', { class: 'snippet', dir: 'auto' }, marked(snippet, terms))]),
  ])
  const link = element('a', { href, role: 'option', id: `hit-${number}`, tabindex: '-1', 'aria-selected': 'false' }, [
    mark,
    text,
    element('kbd', { 'aria-hidden': 'true' }, ['↵']),
  ])
  link.dataset['title'] = title
  return link
}

function marked(text: string, terms: readonly string[]): (string | Element)[] {
  return splitAtMatches(text, new Set(terms)).map((piece, at) => (at % 2 === 1 ? element('mark', {}, [piece]) : piece))
}

function toClass(method: string): string {
  const lower = method.toLowerCase()
  return /^(?:get|post|put|patch|delete)$/.test(lower) ? lower : 'other'
}

export function icon(name: 'page' | 'cube' | 'webhook' | 'search' | 'x'): Element {
  return element('i', { class: `i i-${name}` })
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  children: readonly (string | Element)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
