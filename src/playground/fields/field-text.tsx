/** Longest description beside a field; the page has the whole of it. */
const maxLength = 240

/** The first paragraph of a description as plain text, with its code as code: Markdown of strangers is not drawn here. */
export function FieldText({ text }: { readonly text: unknown }) {
  if (typeof text !== 'string' || text.trim() === '') return null
  // Headings are for the page, which has the whole of it.
  const [first = ''] = text
    .slice(0, 4000)
    .replace(/^#+ .*$/gm, '')
    .trim()
    .split(/\n\s*\n/)
  const plain = first
    .replace(/!?\[([^[\]]*)\](?:\([^)\s[]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^>]{0,99}>/g, '')
    .replace(/\s+/g, ' ')
  const shown = plain.length > maxLength ? `${plain.slice(0, maxLength).replace(/\s\S*$/, '')} …` : plain
  return (
    <p class="p-desc">
      {shown
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code>{part}</code> : part.replace(/(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)/g, ''),
        )}
    </p>
  )
}
