/** The effect of a change on API clients: it breaks some of them, it may break some of them, or it breaks none. */
export type ChangeLevel = 'breaking' | 'risky' | 'compatible'

/** The default levels of a code: one for all, or one for data in requests and one for data in responses. */
type Levels = ChangeLevel | { readonly request: ChangeLevel; readonly response: ChangeLevel }

interface CodeRow {
  readonly level: Levels
  /** Short title for headings and lists. */
  readonly title: string
}

const widens = { request: 'compatible', response: 'breaking' } as const
const narrows = { request: 'breaking', response: 'compatible' } as const

/**
 * All codes of changes with their default levels.
 *
 * The data that a client sends may only widen, and the data that it receives may only narrow.
 */
export const changeCodes = {
  // Operations
  'operation-added': { level: 'compatible', title: 'Operation added' },
  'operation-removed': { level: 'breaking', title: 'Operation removed' },
  'operation-removed-early': { level: 'breaking', title: 'Deprecated operation removed before its sunset date' },
  'operation-removed-deprecated': { level: 'compatible', title: 'Deprecated operation removed' },
  'operation-moved': { level: 'breaking', title: 'Operation moved to another path or method' },
  'operation-deprecated': { level: 'compatible', title: 'Operation deprecated' },
  'operation-reactivated': { level: 'compatible', title: 'Operation no longer deprecated' },
  'operation-id-changed': { level: 'compatible', title: '`operationId` changed' },
  'tag-added': { level: 'compatible', title: 'Tag added to an operation' },
  'tag-removed': { level: 'compatible', title: 'Tag removed from an operation' },
  'webhook-added': { level: 'compatible', title: 'Webhook added' },
  'webhook-removed': { level: 'breaking', title: 'Webhook removed' },
  'callback-added': { level: 'compatible', title: 'Callback added' },
  'callback-removed': { level: 'breaking', title: 'Callback removed' },
  // Lifecycle of operations, parameters and properties
  'sunset-missing': { level: 'breaking', title: 'Deprecated without a sunset date' },
  'sunset-too-soon': { level: 'breaking', title: 'Sunset date is too soon' },
  'sunset-moved-up': { level: 'breaking', title: 'Sunset date moved to an earlier day' },
  'sunset-removed': { level: 'breaking', title: 'Sunset date removed' },
  'sunset-invalid': { level: 'breaking', title: 'Invalid sunset date' },
  'stability-lowered': { level: 'breaking', title: 'Stability level lowered' },
  'stability-raised': { level: 'compatible', title: 'Stability level raised' },
  'stability-invalid': { level: 'breaking', title: 'Invalid stability level' },
  // Security, servers
  'security-tightened': { level: 'breaking', title: 'Accepted credentials are no longer sufficient' },
  'security-loosened': { level: 'compatible', title: 'Further credentials are accepted' },
  'security-scheme-added': { level: 'compatible', title: 'Security scheme added' },
  'security-scheme-removed': { level: 'compatible', title: 'Security scheme removed' },
  'security-scheme-changed': { level: 'breaking', title: 'Security scheme changed' },
  'security-scheme-url-changed': { level: 'compatible', title: 'URL of a security scheme changed' },
  'security-scope-added': { level: 'compatible', title: 'OAuth scope added' },
  'security-scope-changed': { level: 'compatible', title: 'Description of an OAuth scope changed' },
  'security-scope-removed': { level: 'compatible', title: 'OAuth scope removed' },
  'server-added': { level: 'compatible', title: 'Server added' },
  'server-removed': { level: 'compatible', title: 'Server removed' },
  // Parameters
  'required-parameter-added': { level: 'breaking', title: 'Required parameter added' },
  'optional-parameter-added': { level: 'compatible', title: 'Optional parameter added' },
  'parameter-removed': { level: 'risky', title: 'Parameter removed' },
  'parameter-removed-early': { level: 'breaking', title: 'Deprecated parameter removed before its sunset date' },
  'parameter-removed-deprecated': { level: 'compatible', title: 'Deprecated parameter removed' },
  'parameter-became-required': { level: 'breaking', title: 'Parameter became required' },
  'parameter-became-optional': { level: 'compatible', title: 'Parameter became optional' },
  'parameter-default-changed': { level: 'breaking', title: 'Default of a parameter changed' },
  'parameter-serialization-changed': { level: 'breaking', title: 'Serialization of a parameter changed' },
  'parameter-deprecated': { level: 'compatible', title: 'Parameter deprecated' },
  'parameter-reactivated': { level: 'compatible', title: 'Parameter no longer deprecated' },
  // Bodies, responses, headers
  'required-body-added': { level: 'breaking', title: 'Required request body added' },
  'optional-body-added': { level: 'compatible', title: 'Optional request body added' },
  'body-removed': { level: 'breaking', title: 'Request body removed' },
  'body-became-required': { level: 'breaking', title: 'Request body became required' },
  'body-became-optional': { level: 'compatible', title: 'Request body became optional' },
  'response-added': { level: 'compatible', title: 'Response added' },
  'response-removed': { level: 'breaking', title: 'Response of a successful request removed' },
  'error-response-removed': { level: 'compatible', title: 'Response of a failed request removed' },
  'header-added': { level: 'compatible', title: 'Response header added' },
  'required-header-removed': { level: 'breaking', title: 'Required response header removed' },
  'optional-header-removed': { level: 'risky', title: 'Optional response header removed' },
  'header-became-required': { level: 'compatible', title: 'Response header became required' },
  'header-became-optional': { level: 'breaking', title: 'Response header became optional' },
  'link-added': { level: 'compatible', title: 'Link added' },
  'link-removed': { level: 'compatible', title: 'Link removed' },
  'media-type-added': { level: 'compatible', title: 'Media type added' },
  'media-type-removed': { level: 'breaking', title: 'Media type removed' },
  'media-type-widened': { level: widens, title: 'Media type became more general' },
  'media-type-narrowed': { level: narrows, title: 'Media type became more specific' },
  'media-type-schema-added': { level: narrows, title: 'Schema added to a media type' },
  'media-type-schema-removed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Schema removed from a media type',
  },
  'encoding-changed': { level: 'risky', title: 'Encoding of a property changed' },
  // Types
  'type-widened': { level: widens, title: 'More types allowed' },
  'type-narrowed': { level: narrows, title: 'Fewer types allowed' },
  'type-changed': { level: 'breaking', title: 'Type changed' },
  'type-uncertain': { level: 'risky', title: 'Type changed inside a parameter' },
  'format-widened': { level: widens, title: 'Format became more general' },
  'format-narrowed': { level: narrows, title: 'Format became more specific' },
  'format-changed': { level: 'breaking', title: 'Format changed' },
  'became-nullable': { level: widens, title: 'Value became nullable' },
  'became-not-nullable': { level: narrows, title: 'Value is no longer nullable' },
  // Values
  'enum-added': { level: narrows, title: 'Value became an enum' },
  'enum-removed': { level: { request: 'compatible', response: 'risky' }, title: 'Enum removed' },
  'enum-value-added': { level: { request: 'compatible', response: 'risky' }, title: 'Enum value added' },
  'enum-value-removed': { level: narrows, title: 'Enum value removed' },
  'extensible-enum-value-removed': { level: narrows, title: 'Value of an extensible enum removed' },
  'const-added': { level: narrows, title: 'Constant value added' },
  'const-changed': { level: 'breaking', title: 'Constant value changed' },
  'const-removed': { level: widens, title: 'Constant value removed' },
  'limit-added': { level: { request: 'risky', response: 'compatible' }, title: 'Limit added' },
  'limit-tightened': { level: narrows, title: 'Limit tightened' },
  'limit-loosened': { level: widens, title: 'Limit loosened' },
  'limit-removed': { level: widens, title: 'Limit removed' },
  'pattern-added': { level: narrows, title: 'Pattern added' },
  'pattern-changed': { level: 'risky', title: 'Pattern changed' },
  'pattern-widened': { level: { request: 'compatible', response: 'risky' }, title: 'Pattern allows any string' },
  'pattern-removed': { level: { request: 'compatible', response: 'risky' }, title: 'Pattern removed' },
  'default-changed': { level: 'compatible', title: 'Default value changed' },
  'content-encoding-changed': { level: 'breaking', title: 'Encoding of a string changed' },
  // Properties
  'required-property-added': { level: narrows, title: 'Required property added' },
  'optional-property-added': { level: 'compatible', title: 'Optional property added' },
  'property-added-to-closed-object': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Property added to an object without additional properties',
  },
  'required-property-removed': { level: { request: 'risky', response: 'breaking' }, title: 'Required property removed' },
  'optional-property-removed': { level: 'risky', title: 'Optional property removed' },
  'property-became-required': { level: narrows, title: 'Property became required' },
  'property-became-optional': { level: widens, title: 'Property became optional' },
  'property-deprecated': { level: 'compatible', title: 'Property deprecated' },
  'property-reactivated': { level: 'compatible', title: 'Property no longer deprecated' },
  'read-only-changed': { level: 'compatible', title: '`readOnly` changed' },
  'write-only-changed': { level: 'compatible', title: '`writeOnly` changed' },
  'required-property-returned': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Required property is no longer `writeOnly`',
  },
  'additional-properties-forbidden': { level: narrows, title: 'Additional properties forbidden' },
  'additional-properties-allowed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Additional properties allowed',
  },
  // Combined and conditional schemas
  'alternative-added': { level: widens, title: 'Alternative added' },
  'alternative-removed': { level: narrows, title: 'Alternative removed' },
  'alternatives-replaced': { level: 'breaking', title: 'Schema replaced by alternatives, or alternatives by a schema' },
  'constraint-added': { level: narrows, title: 'Constraint added' },
  'constraint-removed': { level: widens, title: 'Constraint removed' },
  'constraint-changed': { level: 'risky', title: 'Condition changed' },
  'dependent-required-changed': { level: 'breaking', title: 'Dependent required properties changed' },
  'tuple-item-added': { level: widens, title: 'Item added to a tuple' },
  'tuple-item-removed': { level: narrows, title: 'Item removed from a tuple' },
  'composition-changed': { level: 'compatible', title: 'Branch of `allOf` added or removed without an effect' },
  'discriminator-changed': { level: 'compatible', title: 'Discriminator changed' },
} as const satisfies Record<string, CodeRow>

/** The stable name of a kind of change. */
export type ChangeCode = keyof typeof changeCodes

/** Whether a string is the code of a change. */
export function isChangeCode(text: string): text is ChangeCode {
  return Object.hasOwn(changeCodes, text)
}

/** The default level of a code for data that clients send (`request`) or receive (`response`). */
export function defaultLevel(code: ChangeCode, direction: 'request' | 'response'): ChangeLevel {
  const { level }: CodeRow = changeCodes[code]
  return typeof level === 'string' ? level : level[direction]
}

/** The URL of a code's documentation. */
export function changeUrl(code: ChangeCode): string {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#${code}`
}
