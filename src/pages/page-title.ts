import type { PageSubject } from './types.ts'

/** The title of a page, on one line: the summary, else one made from method and path, or from the name of the webhook; the name of a schema as it is. */
export function pageTitle({ summary, binding }: PageSubject): string {
  if (summary !== undefined) return summary.trim().replace(/(?<!\s)\s*[\r\n]\s*/g, ' ')
  if (binding.kind === 'schema') return binding.name
  if (binding.kind === 'overview') return 'Overview'
  if (binding.kind === 'webhook') return toSentence(toWords(binding.name)) || binding.name
  const steps = binding.pathTemplate.split('/').filter(Boolean)
  const parameter = /^\{([^{}]+)\}$/.exec(steps.at(-1) ?? '')?.[1]
  const words = steps.filter((step) => !/^\{[^{}]*\}$/.test(step)).flatMap((step) => toWords(step.replace(/\{[^{}]*\}/g, ' ')))
  const by = parameter === undefined ? [] : ['by', ...toWords(parameter)]
  return toSentence([binding.method, ...words, ...by])
}

/** `orderShipped`, `order.shipped` and `order_shipped` are two words each; `orderID` too. */
function toWords(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
}

function toSentence(words: readonly string[]): string {
  const text = words.map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
