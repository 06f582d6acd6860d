import { isForbiddenName } from '../../script/values/operators.ts'
import {
  type ElementValue,
  type EvaluationBudget,
  isCallable,
  isKind,
  type MdxNode,
  type MdxPlace,
  type MdxProps,
  type MdxValue,
  nest,
  spend,
  toObject,
  toProps,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'
import { callInBothThemes } from './both-themes.ts'
import { findLegacySnippet } from './open-module.ts'
import { maxDepth, type PageRun, reportAt } from './piece.ts'
import { toElement, toTab } from './to-element.ts'

/** Converts a value between elements to nodes. As in JSX, `true`, `false`, `null` and functions show nothing. */
export function showValue(value: Value, place: MdxPlace, run: PageRun): readonly MdxNode[] {
  const { budget } = run.evaluation
  if (value === undefined || value === null || typeof value === 'boolean' || isCallable(value)) return []
  if (typeof value !== 'object') {
    const text = String(value)
    spendShown(budget, text, place)
    return text === '' ? [] : [{ kind: 'text', value: text }]
  }
  nest(budget, place)
  spend(budget, 1, place)
  const nodes = showContent(value, place, run)
  budget.depth--
  return nodes
}

function showContent(
  value: Exclude<Value, string | number | boolean | null | undefined>,
  place: MdxPlace,
  run: PageRun,
): readonly MdxNode[] {
  switch (value.kind) {
    case 'list':
      return value.items.flatMap((item) => showValue(item, place, run))
    case 'element':
      return showElement(value, run)
    case 'content':
      return value.show()
    case 'object':
      throw new Unevaluable('shows an object as text', place)
    default:
      return []
  }
}

/** Shows an element of HTML, a component of the site, or one of the repository with its content. */
export function showElement(element: ElementValue, run: PageRun): readonly MdxNode[] {
  const { type, props, place, name } = element
  const children = () => showValue(props.get('children'), place, run)
  if (type === undefined) return children()
  if (type === 'button') return showButton(element, run)
  if (typeof type === 'string' || isKind(type, 'component')) reportHandlers(element, run)
  const html = readHtml(props.get('dangerouslySetInnerHTML'))
  if (typeof type === 'string' && html !== undefined) {
    spendShown(run.evaluation.budget, html, place)
    return toElement(
      { name: type, props: toMdxProps(props, run, place), children: () => run.showHtml(html, place, run), place },
      run,
    )
  }
  if (typeof type === 'string') return toElement({ name: type, props: toMdxProps(props, run, place), children, place }, run)
  if (isKind(type, 'component')) {
    const snippet =
      type.name === 'Snippet' && !run.components.has('Snippet') ? findLegacySnippet(props.get('file'), run) : undefined
    if (snippet) return showComponent({ ...element, type: snippet }, run)
    const all = type.props ? new Map([...props, ...type.props]) : props
    return toElement({ name: type.name, props: toMdxProps(all, run, place), children, place }, run)
  }
  if (isKind(type, 'missing')) return [toUnavailable(element, type.from, run)]
  if (isCallable(type) || isKind(type, 'snippet')) return showComponent(element, run)
  reportAt(run, place, {
    code: 'unknown-component',
    message: `Unexpected component \`<${name}>\`: only its content is shown`,
  })
  return children()
}

/** Reads `{ __html: '…' }`. */
function readHtml(value: Value): string | undefined {
  const html = isKind(value, 'object') ? value.entries.get('__html') : undefined
  return typeof html === 'string' ? html : undefined
}

/** Reports functions such as `onClick`, which run after the page is shown. */
function reportHandlers({ name, props, place }: ElementValue, run: PageRun): void {
  for (const [prop, value] of props) {
    if (!isCallable(value) || !/^on[A-Z]/.test(prop)) continue
    const message = `Cannot run \`${prop.slice(0, 100)}\` of \`<${name}>\`: pages run no code`
    reportAt(run, place, {
      code: 'unread-expression',
      message,
      hint: 'Use links, or components such as `<Tabs>`',
    })
  }
}

/** Shows a button as text in its style, because its action would run code. */
function showButton({ props, place }: ElementValue, run: PageRun): readonly MdxNode[] {
  reportAt(run, place, {
    code: 'refused-html',
    message: 'Unsupported `<button>`: it is shown without its action',
    hint: 'Use a link',
  })
  const children = () => showValue(props.get('children'), place, run)
  return toElement({ name: 'span', props: toMdxProps(props, run, place), children, place }, run)
}

/** Shows the first render of a component. If it cannot be evaluated, shows its children and reports the reason once. */
function showComponent(element: ElementValue, run: PageRun): readonly MdxNode[] {
  const { type, props, place } = element
  const { evaluation } = run
  const { depth, effects } = { depth: evaluation.budget.depth, effects: evaluation.effects }
  // Counts more than one node, because each use of a snippet reads its names again.
  run.budget.nodes -= 10
  if (run.budget.nodes < 0) return []
  if (run.depth >= maxDepth) {
    const message = `Cannot show \`<${element.name}>\`: snippets are nested more than ${maxDepth} levels deep`
    reportAt(run, place, { code: 'too-complex', message, hint: 'Check for a snippet that imports itself' })
    return []
  }
  if (evaluation.budget.isUsedUp) return [toUnavailable(element, '', run)]
  run.depth++
  try {
    const nodes = isKind(type, 'snippet') ? type.show(props, element) : showResult(element, run)
    const isEmpty = nodes.length === 0 && evaluation.effects > effects
    if (isEmpty) throw new Unevaluable('uses `useEffect`', isKind(type, 'function') ? placeOfFunction(type) : place)
    return nodes
  } catch (error) {
    const failure = toFailure(error, place)
    evaluation.budget.depth = depth
    reportFailure(failure, `\`<${element.name}>\``, run)
    return [toUnavailable(element, failure.place.file, run)]
  } finally {
    run.depth--
  }
}

function showResult({ type, props, place }: ElementValue, run: PageRun): readonly MdxNode[] {
  const given = [...props].filter(([name]) => name !== 'key' && name !== 'ref')
  const result = callInBothThemes(type, [toObject(given), null], run.evaluation, place)
  return showValue(result, place, run)
}

function placeOfFunction({ node, scope }: Extract<Value, { kind: 'function' }>): MdxPlace {
  const start = 'start' in node && typeof node.start === 'number' ? node.start : 0
  return { file: scope.file, start, end: start + 1 }
}

/** Evaluates something. Returns `undefined` and reports the reason if it cannot be evaluated. */
export function attempt<Result>(work: () => Result, what: string, place: MdxPlace, run: PageRun): Result | undefined {
  const { depth } = run.evaluation.budget
  try {
    return work()
  } catch (error) {
    run.evaluation.budget.depth = depth
    reportFailure(toFailure(error, place), what, run)
    return undefined
  }
}

/** Converts an error of the evaluation. Others are bugs of this program. */
function toFailure(error: unknown, place: MdxPlace): Unevaluable {
  if (error instanceof Unevaluable) return error
  // The stack is exceeded.
  if (error instanceof RangeError) return new Unevaluable('is nested too deeply', place, { tooComplex: true })
  throw error
}

function reportFailure({ reason, place, isReported, isTooComplex }: Unevaluable, what: string, run: PageRun): void {
  if (isReported) return
  if (isTooComplex) {
    const message = `Cannot show ${what}: it ${reason}`
    reportAt(run, place, { code: 'too-complex', message, hint: 'Write the result in the page instead of calculating it' })
    return
  }
  reportAt(run, place, {
    code: 'unread-expression',
    message: `Cannot show ${what}: it ${reason}`,
    hint: 'Use only props, constants and pure functions. Pages run no code',
  })
}

function toUnavailable(element: ElementValue, from: string, run: PageRun): MdxNode {
  const { name, props, place } = element
  const tryTo = <Result>(work: () => Result) => attempt(work, `\`<${name}>\``, place, run)
  const given = tryTo(() => toMdxProps(props, run, place)) ?? {}
  const children = () => tryTo(() => showValue(props.get('children'), place, run)) ?? []
  const tab = toTab({ name, props: given, children, place }, run)
  if (tab) return tab
  return {
    kind: 'element',
    name: 'Unavailable',
    props: toProps([...Object.entries(given), ['name', name], ['from', from]]),
    children: children(),
    place,
  }
}

/** Props with values for a component of the site. Functions and `undefined` are omitted. */
function toMdxProps(props: ReadonlyMap<string, Value>, run: PageRun, place: MdxPlace): MdxProps {
  const converted: [string, MdxValue][] = []
  for (const [name, value] of props) {
    if (name === 'children' || name === 'key' || name === 'ref' || isForbiddenName(name)) continue
    const one = toMdxValue(value, run, place)
    if (one !== undefined) converted.push([name, one])
  }
  return toProps(converted)
}

/** Counts characters of the page. Only what code makes of them has a limit: an image as a `data:` URL can be long. */
function spendShown(budget: EvaluationBudget, text: string, place: MdxPlace): void {
  spend(budget, 1 + Math.ceil(text.length / 16), place)
}

function toMdxValue(value: Value, run: PageRun, place: MdxPlace): MdxValue | undefined {
  const { budget } = run.evaluation
  if (value === undefined || isCallable(value)) return undefined
  if (typeof value === 'string') spendShown(budget, value, place)
  if (typeof value !== 'object' || value === null) return value
  nest(budget, place)
  spend(budget, 3, place)
  const converted = ((): MdxValue | undefined => {
    if (value.kind === 'list') return { kind: 'list', items: value.items.map((item) => toMdxValue(item, run, place) ?? null) }
    if (value.kind === 'object') {
      const entries = [...value.entries].flatMap(([name, one]): [string, MdxValue][] => {
        const inner = toMdxValue(one, run, place)
        return inner === undefined || isForbiddenName(name) ? [] : [[name, inner]]
      })
      return { kind: 'object', entries: toProps(entries) }
    }
    if (value.kind === 'element' || value.kind === 'content') return { kind: 'fragment', children: showValue(value, place, run) }
    return undefined
  })()
  budget.depth--
  return converted
}
