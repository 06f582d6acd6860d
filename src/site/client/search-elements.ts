import { splitAtMatches } from '../search/mark-words.ts'

const icons = {
  page: '<path d="M4 1.75h5l3.25 3.25v9.25H4Z"/><path d="M9 1.75V5h3.25"/>',
  schema: '<path d="m8 1.75 5.5 3.1v6.3L8 14.25l-5.5-3.1v-6.3Z"/><path d="m2.5 4.85 5.5 3.1 5.5-3.1M8 8v6.25"/>',
  webhook:
    '<path d="M5.5 10.5 8 6.1"/><circle cx="8" cy="4.5" r="2"/><circle cx="4.25" cy="11.25" r="2"/><circle cx="11.75" cy="11.25" r="2"/><path d="M6.25 11.25h3.5M9 6.25l1.9 3.2"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
}

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

export function icon(name: keyof typeof icons): Element {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  drawing.setAttribute('class', 'i')
  drawing.setAttribute('viewBox', '0 0 16 16')
  drawing.setAttribute('aria-hidden', 'true')
  drawing.innerHTML = icons[name]
  return drawing
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
