/** 2026-01-31T09:30:00Z in seconds. */
const moment = 1_769_851_800

interface LikelyValues {
  readonly texts?: readonly string[]
  readonly numbers?: readonly number[]
}

/** Values by the end of a name, in lower case with spaces between its words, the likeliest first. The first rule that matches counts. */
const rules: readonly (LikelyValues & { readonly name: RegExp })[] = [
  { name: /\be ?mail(?: address)?$/, texts: ['user@example.com'] },
  { name: /\b(?:uuid|guid)$/, texts: ['123e4567-e89b-12d3-a456-426614174000'] },
  { name: /\bids?$/, texts: ['abc123', '123'], numbers: [1] },
  { name: /\b(?:ur[li]|link|href|website|homepage)$/, texts: ['https://example.com'] },
  { name: /\bcurrency(?: code| iso)?$/, texts: ['USD', 'usd'] },
  { name: /\bcountry(?: code| iso)?$/, texts: ['US', 'USA', 'us'] },
  { name: /\b(?:locale|language|lang)(?: code)?$/, texts: ['en', 'en-US'] },
  { name: /\b(?:time ?zone|tz)$/, texts: ['Europe/Berlin', 'UTC'] },
  { name: /\b(?:phone|mobile|telephone|fax)(?: number)?$/, texts: ['+14155550100'] },
  { name: /\b(?:post(?:al)? ?code|zip(?: ?code)?)$/, texts: ['94103'] },
  { name: /\bcity$/, texts: ['San Francisco'] },
  { name: /\b(?:first|given) name$/, texts: ['Ada'] },
  { name: /\b(?:last|family) name$|\bsurname$/, texts: ['Lovelace'] },
  { name: /\bip(?: ?v4)?(?: address)?$/, texts: ['192.0.2.1'] },
  { name: /\b(?:hostname|domain(?: name)?)$/, texts: ['example.com'] },
  { name: /\blat(?:itude)?$/, numbers: [52.52], texts: ['52.52'] },
  { name: /\b(?:lng|lon|longitude)$/, numbers: [13.405], texts: ['13.405'] },
  { name: /\b(?:limit|per page|page size|max results)$/, numbers: [20, 10, 100] },
  { name: /\bpage(?: number)?$/, numbers: [1] },
  { name: /\b(?:quantity|qty)$/, numbers: [1] },
  { name: /\b(?:amount|price)$/, numbers: [1000], texts: ['10.00', '1000'] },
  { name: /\byear$/, numbers: [2026], texts: ['2026'] },
  { name: /\bport$/, numbers: [443] },
  { name: /\bdate$/, texts: ['2026-01-31', '2026-01-31T09:30:00Z'] },
]

/** Names of moments. Whether a number such as `created` is one, its description says. */
const momentName = /\b(?:(at|timestamp)|time|created|updated|modified|expires)$/
const momentWords = /\b(?:unix|epoch|timestamp|seconds since|milliseconds)\b/i

/** Likely values of a property or parameter, by its name and the start of its description. Not all of them match its schema. */
export function valuesOfName(name: string, description = ''): Required<LikelyValues> {
  const spaced = name.slice(0, 100).replace(/([a-z\d])([A-Z])/g, '$1 $2')
  const words = spaced
    .replace(/[^a-z\d]+/gi, ' ')
    .trim()
    .toLowerCase()
  const about = description.slice(0, 500)
  const found = momentName.exec(words)
  if (found) {
    const inUnit = /millisecond|\bms\b/i.test(about) ? moment * 1_000 : moment
    return { texts: ['2026-01-31T09:30:00Z', '2026-01-31'], numbers: found[1] || momentWords.test(about) ? [inUnit] : [] }
  }
  const { texts = [], numbers = [] } = rules.find((rule) => rule.name.test(words)) ?? {}
  // Such as “ISO code in lower case”.
  return { texts: /\blower-?\s?case/i.test(about) ? texts.map((text) => text.toLowerCase()) : texts, numbers }
}
