/** The words of a name, in lower case: `orderID`, `order_id` and `Order ID` have two each. */
export function toWords(text: string): string[] {
  return text
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
}
