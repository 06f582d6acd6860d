import { encodeFilePath, encodeUrlPart } from '../../text/plain/paths.ts'
import { formatMessage } from '../messages/format-message.ts'
import type { ClientMessages } from '../messages/messages.ts'
import { search } from '../messages/script-messages.ts'
import {
  findInAll,
  type Hit,
  hasFullMatch,
  listParts,
  type NameShard,
  openIndex,
  type ParameterShard,
  type SearchFilter,
  type SearchIndex,
  type TextShard,
} from '../search/find-hits.ts'
import { element, icon, toMark, toOption } from './search-elements.ts'

/** A request for the first file of a search index. The other files are in the same folder. */
export interface IndexRequest {
  /** Its URL, ends with `/`. */
  readonly folder: string
  readonly names: Promise<Response>
}

/** The path of the site. */
const base = readMeta('base') ?? '/'
const recentKey = `search:recent:${base}`
const labels = { operation: 'operations', webhook: 'webhooks', page: 'pages', schema: 'schemas' } as const
const icons = { operation: 'page', webhook: 'webhook', page: 'page', schema: 'cube' } as const

let texts: ClientMessages['search'] = search
let language = 'en'
let request: SearchInput['requestAgain'] = () => []
let indexes: Promise<readonly SearchIndex[]> | undefined
/** Loading the other files. */
let others: Promise<void> | undefined
let hasOthers = false
let view: View | undefined
let filter: SearchFilter = {}
/** The indexes of the chosen version; `undefined` for those of this page. */
let scopes: string | undefined

/** The dialog and its parts. */
interface View {
  readonly dialog: HTMLDialogElement
  readonly input: HTMLInputElement
  readonly filters: HTMLElement
  readonly status: HTMLElement
  readonly list: HTMLElement
  /** Around the status and the list. */
  readonly hits: HTMLElement
}

interface SearchInput {
  /** The text that the reader entered while this script was loading. */
  readonly typed: string
  readonly requests: readonly IndexRequest[]
  /** Requests the indexes again after a failure, or those of another version. */
  readonly requestAgain: (scopes?: string) => readonly IndexRequest[]
  readonly translation: ClientMessages | undefined
}

/** Opens the search and reads its indexes. */
export function openSearch({ typed, requests, requestAgain, translation }: SearchInput): void {
  request = requestAgain
  if (translation) ({ search: texts, language } = translation)
  if (!view) {
    indexes = readIndexes(requests)
    view = createView()
  }
  const shown = view
  const { dialog, input } = shown
  whenOpened((opened) => showFilters(shown, opened))
  if (!dialog.open) dialog.showModal()
  input.focus()
  if (typed === '') input.select()
  else {
    input.value = typed
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

async function read<Shard>(name: Promise<Response>): Promise<Shard> {
  const response = await name
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as Shard // Written by the build.
}

function openIndexes(): Promise<readonly SearchIndex[]> {
  indexes ??= readIndexes(request(scopes))
  indexes.catch(forgetIndexes)
  return indexes
}

function forgetIndexes(): void {
  indexes = undefined
  others = undefined
  hasOthers = false
}

/** The next letter reports a failure. */
function whenOpened(use: (opened: readonly SearchIndex[]) => void): void {
  openIndexes()
    .then(use)
    .catch(() => {})
}

async function readIndexes(requests: readonly IndexRequest[]): Promise<readonly SearchIndex[]> {
  const loaded = await Promise.all(
    requests.map(async ({ folder, names }) => {
      const shard = await read<NameShard>(names)
      const index = openIndex(shard)
      const load = <Shard>(name: string) => read<Shard>(fetch(folder + name, { cache: 'no-cache' }))
      const loadParameters = async () => index.addParameters(await load<ParameterShard>('parameters.json'))
      const loadText = async (number: number) => index.addTexts(await load<TextShard>(`text-${number}.json`))
      const { hasParameters, texts: count } = shard
      const loadOthers = () =>
        Promise.all([...(hasParameters ? [loadParameters()] : []), ...Array.from({ length: count }, (_, at) => loadText(at))])
      return { index, loadOthers, isComplete: !hasParameters && count === 0 }
    }),
  )
  hasOthers = loaded.every(({ isComplete }) => isComplete)
  // Most searches match titles and paths, so parameters and the text of guides load later.
  others ??= Promise.all(loaded.map(({ loadOthers }) => loadOthers())).then(() => {
    hasOthers = true
  })
  // The next letter reports a failure.
  others.catch(() => {})
  return loaded.map(({ index }) => index)
}

function createView(): View {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': texts.inputLabel,
    'aria-expanded': 'false',
    'aria-controls': 'search-hits',
    'aria-autocomplete': 'list',
    placeholder: readMeta('search-prompt') ?? texts.placeholder,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: '200',
  })
  const closing = element('button', { type: 'button', class: 'btn quiet icon', 'aria-label': texts.close }, [icon('x')])
  const form = element('form', { role: 'search', method: 'dialog' }, [icon('search'), input, closing])
  const filters = element('div', { class: 'filters', role: 'group', 'aria-label': texts.filters, hidden: '' })
  const status = element('p', { class: 'say muted', role: 'status' })
  const list = element('div', { id: 'search-hits', role: 'listbox', 'aria-label': texts.results })
  const hits = element('div', { class: 'hits' }, [status, list])
  const keys = element('footer', { 'aria-hidden': 'true' }, [
    element('span', {}, [element('kbd', {}, ['↑']), ' ', element('kbd', {}, ['↓']), ` ${texts.moveKeys}`]),
    element('span', {}, [element('kbd', {}, ['↵']), ` ${texts.openKey}`]),
    element('span', {}, [element('kbd', {}, ['Esc']), ` ${texts.closeKey}`]),
  ])
  const dialog = element('dialog', { class: 'search', 'aria-label': texts.label }, [form, filters, hits, keys])
  document.body.append(dialog)
  const made = { dialog, input, filters, status, list, hits }
  input.addEventListener('input', () => void update(made))
  input.addEventListener('keydown', (event) => onKey(event, made))
  form.addEventListener('submit', (event) => event.preventDefault())
  closing.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link) keepRecent({ href: link.getAttribute('href') ?? '', title: link.dataset['title'] ?? '' })
    if (link || event.target === dialog) dialog.close()
  })
  showStart(made)
  return made
}

const categories = ['guides', 'reference', 'schemas', 'changelog'] as const

/** Shows what readers can choose among: kinds of pages, divisions of the navigation, versions. */
function showFilters(made: View, opened: readonly SearchIndex[]): void {
  const place = made.filters
  if (place.childElementCount > 0) return
  const refresh = () => void update(made)
  const kinds = categories.filter((category) => opened.some((index) => index.categories.has(category)))
  if (kinds.length > 1) {
    const chips = [undefined, ...kinds].map((category) => {
      const isOn = filter.category === category
      const chip = element('button', { type: 'button', 'aria-pressed': String(isOn) }, [texts[category ?? 'all']])
      chip.addEventListener('click', () => {
        filter = { ...filter, category }
        for (const other of chips) other.setAttribute('aria-pressed', String(other === chip))
        refresh()
      })
      return chip
    })
    place.append(...chips)
  }
  const parts = listParts(opened)
  if (parts.length > 1) {
    const choices = [texts.allSections, ...parts.map((part) => part.join(' · '))]
    place.append(
      toSelect(texts.section, choices, 0, (at) => {
        filter = { ...filter, part: parts[at - 1] }
        refresh()
      }),
    )
  }
  // Written by the build.
  const versions: readonly (readonly [label: string, scopes: string])[] = JSON.parse(readMeta('search-versions') ?? '[]')
  if (versions.length > 1) {
    const labels = versions.map(([label]) => label)
    const current = versions.findIndex(([, own]) => own === (scopes ?? readMeta('search')))
    place.append(
      toSelect(texts.version, labels, current, (at) => {
        scopes = versions[at]?.[1]
        filter = { category: filter.category }
        forgetIndexes()
        place.replaceChildren()
        const next = openIndexes()
        whenOpened((again) => {
          if (indexes !== next) return
          showFilters(made, again)
          place.querySelector<HTMLElement>('select:last-child')?.focus()
        })
        refresh()
      }),
    )
  }
  place.hidden = place.childElementCount === 0
}

function toSelect(label: string, choices: readonly string[], current: number, choose: (at: number) => void): HTMLSelectElement {
  const options = choices.map((choice, at) => element('option', at === current ? { selected: '' } : {}, [choice]))
  const select = element('select', { 'aria-label': label }, options)
  select.addEventListener('change', () => choose(select.selectedIndex))
  return select
}

function isFiltered(): boolean {
  return filter.category !== undefined || filter.part !== undefined
}

/** For a search without results: searches all pages. */
function toClearButton(made: View): HTMLElement {
  const button = element('button', { type: 'button', class: 'btn' }, [texts.clearFilters])
  button.addEventListener('click', () => {
    filter = {}
    made.filters.replaceChildren()
    made.input.focus()
    whenOpened((opened) => showFilters(made, opened))
    void update(made)
  })
  return button
}

async function update(made: View): Promise<void> {
  const { input } = made
  const query = input.value.trim()
  if (query === '') return showStart(made)
  try {
    const opened = await openIndexes()
    if (input.value.trim() !== query) return
    const hits = findInAll(opened, query, currentRoute(), 24, filter)
    if (hasOthers || hasFullMatch(hits)) show(made, query, hits)
    if (hasOthers) return
    // Add results from the other files when they are loaded.
    await others
    if (input.value.trim() !== query) return
    const chosen = optionsOf(made).findIndex((option) => option.classList.contains('on'))
    const moved = chosen > 0 ? optionsOf(made)[chosen]?.getAttribute('href') : undefined
    show(made, query, findInAll(opened, query, currentRoute(), 24, filter))
    // Keep the result that the reader selected in the meantime.
    const again = optionsOf(made).findIndex((option) => option.getAttribute('href') === moved)
    if (again > 0) choose(made, again)
  } catch {
    forgetIndexes()
    clear(made, texts.failed)
    made.list.append(toOption({ href: `${base}search/`, title: texts.allPages, details: [], mark: icon('page'), terms: [] }, 0))
  }
}

function show(made: View, query: string, hits: readonly Hit[]): void {
  // For send-feedback.ts.
  const isMiss = hits.length === 0 && !isFiltered()
  if (isMiss) made.dialog.dispatchEvent(new CustomEvent('search-miss', { bubbles: true, detail: query }))
  clear(
    made,
    hits.length > 0
      ? formatMessage(texts.resultCount, { count: hits.length }, language)
      : formatMessage(isMiss ? texts.noResults : texts.noFiltered, { query }, language),
    hits.length > 0,
  )
  if (hits.length === 0 && !isMiss) made.list.before(toClearButton(made))
  // Kinds are sorted by their best hit, hits by their rating.
  const order = [...new Set(hits.map(({ kind }) => kind))]
  let count = 0
  for (const kind of order) {
    const own = hits.filter((hit) => hit.kind === kind)
    const options = own.map(({ route, anchor, title, method, detail, snippet, part, terms }) => {
      const href = toHref(route) + (anchor === '' ? '' : `#${encodeUrlPart(anchor)}`)
      const mark = method === '' ? icon(icons[kind]) : toMark(method)
      const details = [detail, part].filter((text) => text !== '')
      return toOption({ href, title, details, snippet, mark, terms }, count++)
    })
    made.list.append(toGroup(kind, texts[labels[kind]], options))
  }
  choose(made, 0, true)
}

function toGroup(name: string, label: string, options: readonly Element[]): Element {
  const id = `search-${name}`
  const heading = element('div', { class: 'group', id, role: 'presentation' }, [label])
  return element('div', { role: 'group', 'aria-labelledby': id }, [heading, ...options])
}

function toHref(route: string): string {
  return `${base}${route === '' ? '' : `${encodeFilePath(route)}/`}`
}

function onKey(event: KeyboardEvent, made: View): void {
  const options = optionsOf(made)
  const at = options.findIndex((option) => option.id === made.input.getAttribute('aria-activedescendant'))
  const steps = new Map([
    ['ArrowDown', at + 1],
    ['ArrowUp', at - 1],
    ['PageDown', at + 5],
    ['PageUp', at - 5],
  ])
  const next = steps.get(event.key)
  if (next !== undefined && options.length > 0) {
    event.preventDefault()
    const isPage = event.key.startsWith('Page')
    choose(made, isPage ? Math.max(0, Math.min(next, options.length - 1)) : (next + options.length) % options.length)
  } else if (event.key === 'Enter' && !event.isComposing) {
    event.preventDefault()
    const link = options[at]
    if (!link) return
    if (event.metaKey || event.ctrlKey) window.open(link.getAttribute('href') ?? '', '_blank', 'noopener')
    else link.click()
  } else if (event.key === 'Escape' && !event.isComposing) {
    // By itself, the first press would only empty the field.
    event.preventDefault()
    made.dialog.close()
  }
}

/** Selects an option. A new list is already scrolled to its first one, and scrolling again would calculate its layout twice. */
function choose(made: View, at: number, isNew = false): void {
  const options = optionsOf(made)
  for (const [number, option] of options.entries()) {
    option.classList.toggle('on', number === at)
    option.setAttribute('aria-selected', String(number === at))
  }
  const chosen = options[at]
  if (chosen) made.input.setAttribute('aria-activedescendant', chosen.id)
  else made.input.removeAttribute('aria-activedescendant')
  if (!isNew) chosen?.scrollIntoView({ block: 'nearest' })
}

function optionsOf({ list }: View): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role=option]')]
}

/** Empties the list and shows a status. With `isQuiet`, only screen readers get the status. */
function clear({ input, status, list, hits }: View, text: string, isQuiet = false): void {
  status.textContent = text
  status.classList.toggle('vh', isQuiet)
  hits.scrollTop = 0
  hits.querySelector(':scope > button')?.remove()
  list.replaceChildren()
  input.setAttribute('aria-expanded', String(isQuiet))
  input.removeAttribute('aria-activedescendant')
}

interface Recent {
  readonly href: string
  readonly title: string
}

/** The most pages that the search offers before the reader enters anything. */
const maxFirst = 6

/** Shows recently opened results while the input is empty, or the first pages if there are none. */
function showStart(made: View): void {
  const recent = isFiltered() ? [] : readRecent()
  if (recent.length > 0) {
    offer(made, texts.recent, recent)
    return
  }
  clear(made, texts.start)
  whenOpened((opened) => {
    // A filter can have all of its pages in another index.
    const pages = opened.map((index) => index.listFirst(maxFirst, filter)).find((first) => first.length > 0)
    if (!pages || made.input.value.trim() !== '') return
    const links = pages.map(({ route, title, method }) => ({
      href: toHref(route),
      title,
      ...(method !== '' && { mark: toMark(method) }),
    }))
    offer(made, texts.firstPages, links)
  })
}

/** Shows pages before the reader enters anything. */
function offer(made: View, label: string, pages: readonly (Recent & { readonly mark?: Element })[]): void {
  clear(made, label, pages.length > 0)
  const options = pages.map(({ href, title, mark = icon('page') }, at) =>
    toOption({ href, title, details: [], mark, terms: [] }, at),
  )
  made.list.append(toGroup('start', label, options))
  choose(made, 0)
}

function readRecent(): readonly Recent[] {
  try {
    const storedEntries: unknown = JSON.parse(localStorage.getItem(recentKey) ?? '[]')
    if (!Array.isArray(storedEntries)) return []
    return storedEntries.filter(
      (one): one is Recent =>
        typeof one?.href === 'string' && one.href.startsWith(base) && !one.href.startsWith('//') && typeof one.title === 'string',
    )
  } catch {
    return [] // Storage is blocked or its content is invalid.
  }
}

function keepRecent(chosen: Recent): void {
  const others = readRecent().filter(({ href }) => href !== chosen.href)
  try {
    localStorage.setItem(recentKey, JSON.stringify([chosen, ...others].slice(0, 5)))
  } catch {
    // Storage is blocked.
  }
}

function readMeta(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content
}

function currentRoute(): string {
  return decodeURI(location.pathname.slice(base.length)).replace(/(?:^|\/)(?:index\.html)?$/, '')
}
