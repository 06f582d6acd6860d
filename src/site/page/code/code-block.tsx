import type { ComponentChildren } from 'preact'
import { highlightSample, type SampleLanguage } from '../../../playground/samples/sample-languages.ts'
import type { MdxCode } from '../../../script/values/values.ts'
import { parseJson } from '../../../text/json/json-values.ts'
import { escapeHtmlText } from '../../../text/plain/escape-text.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import type { SitePage } from '../../plan/types.ts'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import type { SiteContext } from '../site-context.ts'
import { type CodeMeta, type LineMarks, markLines, readCodeMeta } from './code-meta.ts'
import { type CodeKind, type CodeToken, findColored, highlight } from './highlight.ts'
import { jsonToken, toJsonColor } from './json-colors.ts'

/** The lines of `expandable` code that are shown before expanding. */
const shortLines = 20

export interface CodeBlockProps {
  readonly code: MdxCode
  readonly context: SiteContext
  readonly page: SitePage
}

/** A code block with a title, marked lines and a copy button. */
export function CodeBlock({ code: { language, meta, value }, context, page }: CodeBlockProps) {
  const read = readCodeMeta(meta)
  const { title, icon, hasNumbers, isWrapped, isExpandable } = read
  // A fence with only `nocopy` has no language.
  const isBare = language === 'nocopy'
  const texts = context.messages.guide
  const { code, marks } = markLines(value, read)
  const inside = (
    <Code
      value={code}
      language={isBare ? undefined : language}
      label={title ?? texts.code}
      marks={marks}
      hasNumbers={hasNumbers}
    />
  )
  return (
    <div class={isWrapped ? 'code wrapped' : 'code'}>
      {title !== undefined && (
        <header>
          <span class="mono">
            <NamedIcon name={icon} context={context} page={page} /> {title}
          </span>
        </header>
      )}
      {!isBare && !read.hasNoCopy && (
        <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label={texts.copyCode}>
          <Icon name="copy" />
        </button>
      )}
      <Expandable code={code} isExpandable={isExpandable} context={context}>
        {inside}
      </Expandable>
    </div>
  )
}

interface ExpandableProps {
  readonly code: string
  readonly isExpandable: boolean
  readonly context: SiteContext
  readonly children: ComponentChildren
}

/** Code that shows its first lines until readers expand it. */
function Expandable({ code, isExpandable, context, children }: ExpandableProps) {
  if (!isExpandable || code.split('\n').length <= shortLines) return <>{children}</>
  return (
    <div class="cut">
      <input type="checkbox" aria-label={context.messages.guide.showAllLines} data-less={context.messages.guide.showLess} />
      {children}
    </div>
  )
}

/** `label` is the accessible name of the region. */
interface CodeProps extends Pick<CodeTab, 'language' | 'label' | 'sample' | 'marks' | 'hasNumbers'> {
  readonly value: string
  /** Whether readers see it only when they choose its tab. */
  readonly isHidden?: boolean
}

/** Highlighted code without a header. */
function Code({ value, language, label, sample, marks, hasNumbers = false, isHidden = false }: CodeProps) {
  const html =
    sample === undefined
      ? renderCode(value, language, marks, hasNumbers, isHidden ? 0 : coloredTokens)
      : renderSample(value, sample)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
    <pre tabIndex={0} role="group" aria-label={label} class={hasNumbers ? 'numbered' : undefined}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  )
}

export interface CodeTab extends Partial<Pick<CodeMeta, 'hasNumbers' | 'isWrapped' | 'isExpandable' | 'hasNoCopy'>> {
  /** The label of the tab. It also identifies the tab when the choice is stored. */
  readonly label: string
  readonly mark?: ComponentChildren
  readonly code: string
  readonly language: string | undefined
  /** The language of a generated sample. */
  readonly sample?: SampleLanguage | undefined
  readonly marks?: LineMarks
  /** The name of the example in the document. */
  readonly example?: string
  /** The `https` URL of a recording, which a player above the code plays. */
  readonly audio?: AllowedUrl
  /** Whether the sample comes from the document. The playground also offers these samples. */
  readonly isWritten?: boolean
}

interface CodeTabsProps {
  readonly context: SiteContext
  /** The accessible name of the tabs. */
  readonly legend: string
  /** The name of the radio group, unique on the page. */
  readonly name: string
  readonly tabs: readonly CodeTab[]
  /** The index of the tab that is selected at first. Default: 0. */
  readonly chosen?: number
  /** Groups with the same value share their selection on every page. */
  readonly sync?: string | undefined
  /** Shown above the tabs. */
  readonly head?: ComponentChildren
}

/** Code blocks as tabs. Radio buttons make them work without scripts. */
export function CodeTabs({ context, legend, name, tabs, chosen = 0, sync, head }: CodeTabsProps) {
  return (
    <div class="code">
      {head}
      <div class="tabs" data-sync={sync}>
        <fieldset>
          <legend class="vh">{legend}</legend>
          {tabs.map(({ label, mark, hasNoCopy, example }, index) => (
            <label class={hasNoCopy ? 'no-copy' : undefined}>
              <input type="radio" name={name} value={label} data-example={example} checked={index === chosen} /> {mark ?? label}
            </label>
          ))}
        </fieldset>
        <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label={context.messages.guide.copy}>
          <Icon name="copy" />
        </button>
        {tabs.map(
          (
            { label, code, language, sample, marks, hasNumbers = false, isWrapped, isExpandable = false, audio, isWritten },
            index,
          ) => (
            <div class={isWrapped ? 'wrapped' : undefined} data-written={isWritten ? label : undefined}>
              {audio !== undefined && <AudioPlayer url={audio} label={`${legend}: ${label}`} />}
              <Expandable code={code} isExpandable={isExpandable} context={context}>
                <Code
                  value={code}
                  language={language}
                  label={`${legend}: ${label}`}
                  sample={sample}
                  {...(marks && { marks })}
                  hasNumbers={hasNumbers}
                  isHidden={index !== chosen}
                />
              </Expandable>
            </div>
          ),
        )}
      </div>
    </div>
  )
}

/** A player for a recording on any host. Sends no request until readers press play. */
export function AudioPlayer({ url, label }: { readonly url: AllowedUrl; readonly label: string }) {
  // biome-ignore lint/a11y/useMediaCaption: an OpenAPI document has no captions for its examples
  return <audio controls preload="none" src={url} aria-label={label} />
}

/** The HTML of a generated sample. The URL of curl, in its first line, is a box that breaks before a step of its path if it is too long. */
export function renderSample(code: string, language: SampleLanguage): string {
  const html = renderLines([highlightSample(language, code).map(({ text, color: kind }) => ({ text, kind }))], undefined, false)
  if (language !== 'bash') return html
  const toBox = (url: string) => `<bdi>${url.replace(/(?<=[\w}])\/(?=[\w{])/g, '<wbr>/')}</bdi>`
  return html.replace(/^(.*?)((?:<i>|https?:).*)/, (_, start: string, url: string) => start + toBox(url))
}

/** The HTML of highlighted code. */
export function renderCode(
  code: string,
  language: string | undefined,
  marks: LineMarks | undefined,
  hasNumbers: boolean,
  colored = coloredTokens,
): string {
  const isWhole = !hasNumbers && (marks === undefined || marks.size === 0)
  const isQuick = isWhole && findColored(code, language) === 'json' && parseJson(code) !== undefined
  return isQuick ? renderJson(code, colored) : renderLines(highlight(code, language), marks, hasNumbers)
}

/** The tokens of visible JSON that the build colors, up to the end of a line: as many as a window shows, about 40 lines. */
const coloredTokens = 80

/**
 * Renders JSON like `renderLines`, but faster: JSON examples are about half of the content of a reference. Each colored token is an element, so
 * the page's script colors the rest of long JSON when readers scroll to it. `data-rest` is its number of lines.
 */
export function renderJson(code: string, colored = coloredTokens): string {
  let html = ''
  let end = 0
  let count = 0
  for (const { 0: text, 1: quoted, 2: colon = '', index } of code.matchAll(jsonToken)) {
    // Everything between the tokens needs no escaping.
    const between = code.slice(end, index)
    if (count >= colored && between.includes('\n')) {
      const start = code.indexOf('\n', end) + 1
      const rest = code.slice(start)
      return `${html}${code.slice(end, start)}<span data-rest="${rest.split('\n').length}">${escapeHtmlText(rest)}</span>`
    }
    html += `${between}${renderToken(toJsonColor(text), quoted ?? text)}${colon}`
    end = index + text.length
    count++
  }
  return html + code.slice(end)
}

/**
 * The HTML of tokenized lines. Concatenates strings instead of rendering components, because code is most of a page.
 */
export function renderLines(lines: readonly (readonly CodeToken[])[], marks: LineMarks | undefined, hasNumbers: boolean): string {
  let html = ''
  for (const [index, line] of lines.entries()) {
    if (index > 0) html += '\n'
    const mark = marks?.get(index + 1) ?? (hasNumbers ? 'nl' : undefined)
    if (mark !== undefined) html += `<span class="${mark}">`
    for (const { text, kind } of line) {
      html += kind === undefined ? escapeHtmlText(text) : renderToken(kind, text)
    }
    if (mark !== undefined) html += '</span>'
  }
  return html
}

/** Pages have many tokens, so those of the most common colors have an element of their own instead of a class. */
const tokenElements: Partial<Record<CodeKind, string>> = { k: 'b', s: 'i', f: 'var' }

function renderToken(kind: CodeKind, text: string): string {
  const name = tokenElements[kind]
  // Both are constants and need no escaping.
  return name === undefined ? `<i class="${kind}">${escapeHtmlText(text)}</i>` : `<${name}>${escapeHtmlText(text)}</${name}>`
}
