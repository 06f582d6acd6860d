import type { ComponentChildren } from 'preact'
import { splitAtCode } from '../../../text/plain/escape-text.ts'
import { formatDate, toAgo } from './formats.ts'

/** SVG paths on a 16 by 16 grid, drawn for this project. The stroke has the text color. */
const paths = {
  success: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm5.25 8.25 2 2 3.5-4'],
  failure: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm6 6 4 4M10 6l-4 4'],
  error: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm6 6 4 4M10 6l-4 4'],
  in_progress: ['M8 1.75A6.25 6.25 0 1 1 1.75 8'],
  queued: [
    'M14.25 8a6.25 6.25 0 0 1-.6 2.7M12 12.8a6.25 6.25 0 0 1-2.4 1.2M6.4 14A6.25 6.25 0 0 1 4 12.8M2.3 10.7a6.25 6.25 0 0 1 0-5.4M4 3.2A6.25 6.25 0 0 1 6.4 2M9.6 2A6.25 6.25 0 0 1 12 3.2',
  ],
  current: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'M9.25 8a1.25 1.25 0 1 1-2.5 0 1.25 1.25 0 0 1 2.5 0Z'],
  warning: ['M8 2.25 14.25 13H1.75Z', 'M8 6.5v3M8 11.2v.05'],
  info: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'M8 7.5v3.25M8 5.2v.05'],
  branch: [
    'M6 3.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0ZM6 12.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0ZM13 5.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0Z',
    'M4.5 5v6M11.5 7c0 2.5-7 1.5-7 4',
  ],
  external: ['M6.5 3.5h-3v9h9v-3M9 2.75h4.25V7M13 3 7.5 8.5'],
  retry: ['M13.25 8A5.25 5.25 0 1 1 11.6 4.2L13.25 5.7', 'M13.25 2.5v3.25H10'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  chevron: ['m6 3.5 4.5 4.5L6 12.5'],
  sun: [
    'M10.75 8a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z',
    'M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  ],
  moon: ['M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z'],
} as const

export type IconName = keyof typeof paths

/** An icon next to a label: hidden from screen readers. */
export function Icon({ name, class: more }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={more === undefined ? 'icon' : `icon ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      {paths[name].map((d) => (
        <path d={d} />
      ))}
    </svg>
  )
}

/** GitHub's logo, from Octicons (MIT). Next to a label, hidden from screen readers. */
export function GitHubMark() {
  return (
    <svg class="icon solid" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 0c4.42 0 8 3.58 8 8a8.01 8.01 0 0 1-5.45 7.59c-.4.08-.55-.17-.55-.38 0-.27.01-1.13.01-2.2 0-.75-.25-1.23-.54-1.48 1.78-.2 3.65-.88 3.65-3.95 0-.88-.31-1.59-.82-2.15.08-.2.36-1.02-.08-2.12 0 0-.67-.22-2.2.82a7.4 7.4 0 0 0-4.04 0c-1.53-1.03-2.2-.82-2.2-.82-.44 1.1-.16 1.92-.08 2.12-.51.56-.82 1.28-.82 2.15 0 3.06 1.86 3.75 3.64 3.95-.23.2-.44.55-.51 1.07-.46.21-1.61.55-2.33-.66-.15-.24-.6-.83-1.23-.82-.67.01-.27.38.01.53.34.19.73.9.82 1.13.16.45.68 1.31 2.69.94 0 .67.01 1.3.01 1.49 0 .21-.15.45-.55.38A8 8 0 0 1 0 8c0-4.42 3.58-8 8-8Z" />
    </svg>
  )
}

/** Text with the parts in backticks as code. */
export function InlineCode({ text }: { readonly text: string }) {
  return <>{splitAtCode(text).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

/** The links from the top level down to a page. */
export function Breadcrumb({ items }: { readonly items: readonly ComponentChildren[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol class="crumbs">
        {items.map((item) => (
          <li>
            <bdi>{item}</bdi>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface HeadingProps {
  /** The anchor of the section. */
  readonly id: string
  readonly label: string
  /** A number, or a text such as `2 errors, 1 warning`. */
  readonly count?: number | string | undefined
}

/** The heading of a section. */
export function Heading({ id, label, count }: HeadingProps) {
  return (
    <h2 id={id}>
      {label}
      {count !== undefined && <small>{count.toLocaleString('en-US')}</small>}
    </h2>
  )
}

/** Untrusted text with inline code. Its direction does not change the text around it. */
export function IsolatedText({ text }: { readonly text: string }) {
  return (
    <bdi>
      <InlineCode text={text} />
    </bdi>
  )
}

/** A paragraph of untrusted text with inline code. */
export function Paragraph({ text, class: name }: { readonly text: string; readonly class?: string }) {
  return (
    <p class={name} dir="auto">
      <InlineCode text={text} />
    </p>
  )
}

const buttons = { main: 'button', quiet: 'button quiet', danger: 'button danger' } as const

interface ButtonProps {
  /** Default: without emphasis. */
  readonly kind?: keyof typeof buttons
  readonly children: ComponentChildren
}

/** The button that sends its form. */
export function Submit({ kind = 'quiet', children }: ButtonProps) {
  return (
    <button class={buttons[kind]} type="submit">
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  rel,
  kind = 'quiet',
  children,
}: ButtonProps & { readonly href: string; readonly rel?: 'prev' | 'next' }) {
  return (
    <a class={buttons[kind]} href={href} rel={rel}>
      {children}
    </a>
  )
}

/** A link, or only its text without a URL. */
export function OptionalLink({ href, children }: { readonly href: string | undefined; readonly children: ComponentChildren }) {
  return href === undefined ? children : <a href={href}>{children}</a>
}

/** The short SHA of a commit as a link. */
export function CommitLink({ href, sha }: { readonly href: string; readonly sha: string }) {
  return (
    <a class="mono" href={href}>
      {sha.slice(0, 7)}
    </a>
  )
}

interface FoldProps {
  /** Unique on the page, to keep the state when the page updates itself. */
  readonly name: string
  readonly label: string
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

/** Content below a line that shows and hides it. */
export function Fold({ name, label, isOpen, children }: FoldProps) {
  return (
    <details class="fold" data-fold={name} open={isOpen}>
      <summary>
        <Icon name="chevron" />
        {label}
      </summary>
      {children}
    </details>
  )
}

interface CodeBlockProps {
  readonly class: string
  /** For screen readers. */
  readonly label: string
  readonly children: ComponentChildren
}

/** Lines of code or of a log. Long lines scroll. */
export function CodeBlock({ class: name, label, children }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <pre class={name} tabIndex={0} role="group" aria-label={label}>
      <code>{children}</code>
    </pre>
  )
}

interface DescriptionListProps {
  /** `facts` are columns, `values` are lines. */
  readonly class: 'facts' | 'values'
  readonly rows: readonly (readonly [term: ComponentChildren, value: ComponentChildren])[]
}

/** Terms and values; nothing if there are none. */
export function DescriptionList({ class: name, rows }: DescriptionListProps) {
  if (rows.length === 0) return null
  return (
    <dl class={name}>
      {rows.map(([term, value]) => (
        <div>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The relative time, with the exact time as a tooltip. */
export function Ago({ time, now, prefix = '' }: { readonly time: string; readonly now: Date; readonly prefix?: string }) {
  return (
    <time class="when numeric" dateTime={time} title={formatDate(time)}>
      {prefix}
      {toAgo(time, now)}
    </time>
  )
}

interface PathListProps {
  readonly entries: readonly PathEntry[]
  /** Number of further paths. */
  readonly unlisted?: number
}

interface PathEntry {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept'
  readonly path: string
  readonly href?: string | undefined
  readonly notes?: readonly (string | undefined)[]
}

const shownEntries = 200

/** Up to 200 paths with their changes, and the number of the rest. */
export function PathList({ entries, unlisted = 0 }: PathListProps) {
  const rest = Math.max(0, entries.length - shownEntries) + unlisted
  return (
    <ul class="paths">
      {entries.slice(0, shownEntries).map((entry) => (
        <PathItem {...entry} />
      ))}
      {rest > 0 && <li>… and {rest.toLocaleString('en-US')} more</li>}
    </ul>
  )
}

function PathItem({ kind, path, href, notes = [] }: PathEntry) {
  const detail = notes.filter(Boolean).join(' · ')
  return (
    <li class={`is-${kind}`}>
      <span class="kind">{kind}</span>
      <span>
        <bdi class="mono">
          <OptionalLink href={href}>{path}</OptionalLink>
        </bdi>
        {detail && (
          <small>
            <IsolatedText text={detail} />
          </small>
        )}
      </span>
    </li>
  )
}

interface PagerProps {
  readonly path: string
  readonly page: number
  readonly pages: number
  /** Other parameters of the links. */
  readonly query?: Readonly<Record<string, string>>
}

/** Links to the previous and next page; nothing if there is only one page. */
export function Pager({ path, page, pages, query = {} }: PagerProps) {
  if (pages <= 1) return null
  const to = (number: number) => `${path}?${new URLSearchParams({ ...query, page: String(number) })}`
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <LinkButton href={to(page - 1)} rel="prev">
          Newer
        </LinkButton>
      )}
      <span class="numeric">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <LinkButton href={to(page + 1)} rel="next">
          Older
        </LinkButton>
      )}
    </nav>
  )
}

interface CursorPagerProps {
  readonly path: string
  readonly cursor: string | undefined
  readonly nextCursor: string | undefined
  /** The anchor of the list. */
  readonly list: 'updates' | 'changes'
  /** Other parameters of the links. */
  readonly query?: Readonly<Record<string, string>>
}

/** Links to the newest and the older entries of a list with cursor pagination. */
export function CursorPager({ path, cursor, nextCursor, list, query = {} }: CursorPagerProps) {
  if (cursor === undefined && nextCursor === undefined) return null
  const to = (parameters: Record<string, string>) => `${path}?${new URLSearchParams(parameters)}#${list}`
  return (
    <nav class="pager" aria-label={`Pages of ${list}`}>
      {cursor !== undefined && <LinkButton href={to(query)}>Newest</LinkButton>}
      {nextCursor !== undefined && (
        <LinkButton href={to({ ...query, cursor: nextCursor })} rel="next">
          Older
        </LinkButton>
      )}
    </nav>
  )
}
