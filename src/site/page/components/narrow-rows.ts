/** The generated classes of a page that matter for rows: names and their declarations. */
type StyleClass = readonly [name: string, declarations: string]

/** A row by an author's `display: flex` who did not write whether it wraps. */
const isRow = (declarations: string) =>
  /(?:^|;)display:(?:inline-)?flex(?:;|$)/.test(declarations) && !/(?:^|;)flex-(?:wrap|flow|direction:column)/.test(declarations)

/** `flex: 1`, `flex: 1 1 0` and `flex-grow: 1`: takes the space that is left, which can be none. */
const grows = (declarations: string) =>
  /(?:^|;)flex(?:-grow:\d*[1-9]|:\d*[1-9]\d*(?: \d+(?: (?:0(?:px|%)?|auto))?)?)(?:;|$)/.test(declarations) &&
  !/(?:^|;)flex-basis/.test(declarations)

/** Text needs at least this width, or the row wraps. */
const basis = 'flex-basis:min(100%,10rem)'

/**
 * Rules for phones: a row wraps if its text would be narrow beside something that cannot shrink, such as an image. Text is a part that grows, or an
 * element without a style that has paragraphs. All other rows are shown as written: a wrapped row would put the text of an icon below the icon.
 */
export function renderNarrowRows(classes: readonly StyleClass[]): string {
  const select = (condition: (declarations: string) => boolean) =>
    classes.filter(([, declarations]) => condition(declarations)).map(([name]) => `.${name}`.repeat(3))
  const rows = select(isRow)
  if (rows.length === 0) return ''
  const growing = select(grows)
  const aligned = select((declarations) => isRow(declarations) && !/(?:^|;)justify-content/.test(declarations))
  const row = `:is(${rows})`
  const plain = '>:not([class],:only-child)'
  const wrapped: string[] = []
  if (growing.length > 0) wrapped.push(toRules(row, `>:is(${growing})`, basis))
  // `:has` cannot contain `:has`, so its condition differs.
  if (aligned.length > 0) wrapped.push(toRules(`:is(${aligned})`, `${plain}>p`, `flex-grow:1;${basis}`, `${plain}:has(>p)`))
  return wrapped.length === 0 ? '' : `@media (max-width:639px){${wrapped.join('')}}\n`
}

const toRules = (row: string, condition: string, declarations: string, child = condition) =>
  `${row}:has(${condition}){flex-wrap:wrap}${row}${child}{${declarations}}`
