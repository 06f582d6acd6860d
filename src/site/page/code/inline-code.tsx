/** Text with the parts in backticks as code. An unpaired backtick is left unchanged. */
export function InlineCode({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
