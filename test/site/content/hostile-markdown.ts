/** Texts that take a Markdown parser quadratic time or worse, in a given length. */
export const families: Readonly<Record<string, (length: number) => string>> = {
  'emphasis that opens and closes': repeat('*a'),
  'strong emphasis': repeat('**a'),
  'emphasis of two kinds': repeat('**a*'),
  'long runs of emphasis': repeat('a***b'),
  underscores: repeat('_a_ '),
  'emphasis that only closes': repeat('a* '),
  'emphasis that only opens': repeat('*a '),
  'emphasis beside spaces': repeat('*a_ '),
  strikethrough: repeat('~a'),
  'emphasis in many short paragraphs': repeat(`${'*a'.repeat(150)}\n\n`),
  'emphasis in list items': repeat(`- ${'*a'.repeat(150)}\n`),
  'emphasis in quotes': repeat(`> ${'*a'.repeat(150)}\n\n`),
  'closing brackets': repeat('a]'),
  'opening brackets': repeat('[a'),
  'images that do not end': repeat('![a'),
  links: repeat('[a](b) '),
  'links that do not end': repeat('[a](<b'),
  footnotes: repeat('[^a]'),
  definitions: (length) => numbered(length / 2, (index) => `[a${index}]: b\n`) + numbered(length / 2, (index) => `[a${index}] `),
  'backticks of growing length': (length) => numbered(length, (index) => `${'`'.repeat(index + 1)}a`),
  'nested lists on one line': repeat('1. '),
  'nested bullets on one line': (length) => `${repeat('- ')(length)}y`,
  'nested quotes and lists on one line': repeat('>- '),
  'nested quotes': repeat('>'),
  'lists nested by indentation': (length) => numbered(length, (index) => `${'  '.repeat(index)}- a\n`),
  quotes: repeat('> a *b*\n\n'),
  'underlined headings': repeat('a *b*\n=\n'),
  headings: repeat('# a *b*\n'),
  'table rows': (length) => `|a|b|\n|-|-|\n${repeat('|*a*|b|\n')(length)}`,
  'table columns': (length) => `${repeat('|a')(length / 2)}|\n${repeat('|-')(length / 2)}|\n`,
  'rows with missing cells': (length) =>
    `${repeat('|a')(length / 4)}|\n${repeat('|-')(length / 4)}|\n${repeat('|a\n')(length / 2)}`,
  'nested HTML': repeat('<b>'),
  'HTML that does not end': repeat('<a b="'),
  'formatting that is opened again in each paragraph': (length) =>
    `<p>${numbered(length / 2, (index) => `<b id=a${index}>`)}</p>${repeat('<p>a</p>')(length / 2)}`,
  'comments that do not end': repeat('<!--'),
  'words without an end beside an email address': (length) => `${'a'.repeat(length)} a@b.c`,
  'email addresses': repeat('a@b.c '),
  entities: repeat('&amp;'),
  'braces in a string of an expression': (length) => `{"${'}'.repeat(length)}`,
  'code of a module that does not end': (length) => `export const a = [\n${'\n'.repeat(length)}`,
  formulas: repeat('$a^b'),
}

function repeat(unit: string): (length: number) => string {
  return (length) => unit.repeat(Math.ceil(length / unit.length))
}

function numbered(length: number, unit: (index: number) => string): string {
  let text = ''
  for (let index = 0; text.length < length; index++) text += unit(index)
  return text
}
