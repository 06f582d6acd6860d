import type { AllowedUrl } from '../../source/allowed-url.ts'

/** The effect of a change on API clients: it breaks some of them, it may break some of them, or it breaks none. */
export type ChangeLevel = 'breaking' | 'risky' | 'compatible'

/** The levels, the most severe first. */
export const changeLevels: readonly ChangeLevel[] = ['breaking', 'risky', 'compatible']

/** The levels that a setting can give to a code. `off` leaves out the changes with the code. */
export const levelSettings: readonly (ChangeLevel | 'off')[] = [...changeLevels, 'off']

/** Orders changes by level, the most severe first. */
export function compareLevels(a: { readonly level: ChangeLevel }, b: { readonly level: ChangeLevel }): number {
  return changeLevels.indexOf(a.level) - changeLevels.indexOf(b.level)
}

/** The default levels of a code: one for all, or one for data in requests and one for data in responses. */
type Levels = ChangeLevel | { readonly request: ChangeLevel; readonly response: ChangeLevel }

interface CodeRow {
  readonly level: Levels
  /** Short title for headings and lists. */
  readonly title: string
  /** Whom it breaks, or why it breaks no client. Sentences in Markdown for `docs/change-codes.md`. */
  readonly why: string
  /** How to make the change without breaking clients, in the imperative and without a final full stop. */
  readonly instead?: string
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
  'operation-added': { level: 'compatible', title: 'Operation added', why: 'Existing clients do not call it.' },
  'operation-removed': {
    level: 'breaking',
    title: 'Operation removed',
    why: 'Clients that call the operation get an error.',
    instead: 'Deprecate the operation with a date in `x-sunset`, and remove it after that date',
  },
  'operation-removed-early': {
    level: 'breaking',
    title: 'Deprecated operation removed before its sunset date',
    why: 'The description promised that clients can call the operation until its `x-sunset` date.',
    instead: 'Keep the operation until its `x-sunset` date',
  },
  'operation-removed-deprecated': {
    level: 'compatible',
    title: 'Deprecated operation removed',
    why: 'The operation was deprecated, and its `x-sunset` date has passed or it had none. Clients had notice.',
  },
  'operation-moved': {
    level: 'breaking',
    title: 'Operation moved to another path or method',
    why: 'Clients that call the old path get an error. The operation was recognized by its `operationId`, or by its method, summary, tags and path.',
    instead: 'Keep the old path as a deprecated operation',
  },
  'operation-deprecated': { level: 'compatible', title: 'Operation deprecated', why: 'The operation still works.' },
  'operation-reactivated': { level: 'compatible', title: 'Operation no longer deprecated', why: 'The operation still works.' },
  'operation-id-changed': {
    level: 'compatible',
    title: '`operationId` changed',
    why: 'Requests stay the same. Generated clients can name their methods after the `operationId`, so a new version of the client can have other names.',
  },
  'tag-added': {
    level: 'compatible',
    title: 'Tag added to an operation',
    why: 'Tags group operations in documentation and do not concern requests.',
  },
  'tag-removed': {
    level: 'compatible',
    title: 'Tag removed from an operation',
    why: 'Tags group operations in documentation and do not concern requests.',
  },
  'webhook-added': { level: 'compatible', title: 'Webhook added', why: 'Existing clients have not subscribed to it.' },
  'webhook-removed': {
    level: 'breaking',
    title: 'Webhook removed',
    why: 'Clients no longer receive the event.',
    instead: 'Announce the date with `deprecated: true`, and remove the webhook later',
  },
  'callback-added': { level: 'compatible', title: 'Callback added', why: 'Existing clients do not ask for it.' },
  'callback-removed': {
    level: 'breaking',
    title: 'Callback removed',
    why: 'Clients that wait for the callback no longer receive it.',
    instead: 'Keep the callback until clients have moved',
  },
  // Lifecycle of operations, parameters and properties
  'sunset-missing': {
    level: 'breaking',
    title: 'Deprecated without a sunset date',
    why: 'A grace period is set, and clients do not know how long the deprecated part will work.',
    instead: 'Add `x-sunset` with a date after the grace period',
  },
  'sunset-too-soon': {
    level: 'breaking',
    title: 'Sunset date is too soon',
    why: 'A grace period is set, and clients get less time than it promises.',
    instead: 'Choose a later date in `x-sunset`',
  },
  'sunset-moved-up': {
    level: 'breaking',
    title: 'Sunset date moved to an earlier day',
    why: 'Clients get less time than they were promised.',
    instead: 'Keep the earlier promise',
  },
  'sunset-removed': {
    level: 'breaking',
    title: 'Sunset date removed',
    why: 'Clients no longer know how long the deprecated part will work.',
    instead: 'Keep `x-sunset`, or end the deprecation',
  },
  'sunset-added': {
    level: 'compatible',
    title: 'Sunset date added',
    why: 'The part was already deprecated. Clients learn how long it will work.',
  },
  'sunset-postponed': {
    level: 'compatible',
    title: 'Sunset date moved to a later day',
    why: 'Clients get more time.',
  },
  'sunset-invalid': {
    level: 'breaking',
    title: 'Invalid sunset date',
    why: 'Tools cannot read the date.',
    instead: 'Write the date as `YYYY-MM-DD`',
  },
  'stability-lowered': {
    level: 'breaking',
    title: 'Stability level lowered',
    why: 'Clients rely on the promises of the higher level.',
    instead: 'Keep the level, and deprecate the part instead',
  },
  'stability-raised': { level: 'compatible', title: 'Stability level raised', why: 'Clients get more guarantees than before.' },
  'stability-invalid': {
    level: 'breaking',
    title: 'Invalid stability level',
    why: 'Tools cannot read the level.',
    instead: 'Use `draft`, `alpha`, `beta` or `stable`',
  },
  // Security, servers
  'security-tightened': {
    level: 'breaking',
    title: 'Accepted credentials are no longer sufficient',
    why: 'Requests with credentials that were sufficient are refused.',
    instead: 'Add the new requirement as an alternative, and remove the old one later',
  },
  'security-loosened': {
    level: 'compatible',
    title: 'Further credentials are accepted',
    why: 'All credentials that were sufficient still are.',
  },
  'security-changed': {
    level: 'compatible',
    title: 'List of credentials changed without an effect',
    why: 'The same requests are accepted as before, for example because the operation needs no credentials.',
  },
  'security-scheme-replaced': {
    level: 'risky',
    title: 'Another security scheme with the same definition is required',
    why: 'Requests look the same as before. The documents do not tell whether the server accepts the same credentials for both schemes.',
    instead: 'Keep the security scheme, or rename it everywhere',
  },
  'security-scheme-renamed': {
    level: 'compatible',
    title: 'Security scheme renamed',
    why: 'Clients authenticate as before. Generated clients can name a setting after the scheme, so a new version of the client can have another name.',
  },
  'security-scheme-added': {
    level: 'compatible',
    title: 'Security scheme added',
    why: 'A scheme has an effect only where an operation requires it.',
  },
  'security-scheme-removed': {
    level: 'compatible',
    title: 'Security scheme removed',
    why: 'A scheme has an effect only where an operation requires it. Those operations are reported as `security-tightened`.',
  },
  'security-scheme-changed': {
    level: 'breaking',
    title: 'Security scheme changed',
    why: 'Clients that authenticate as before are refused.',
    instead: 'Add a second security scheme, and remove the old one later',
  },
  'security-scheme-url-changed': {
    level: 'compatible',
    title: 'URL of a security scheme changed',
    why: 'Clients usually read these URLs from the description or from the metadata of the server.',
  },
  'security-scheme-deprecated': {
    level: 'compatible',
    title: 'Security scheme deprecated',
    why: 'Clients can still authenticate with it.',
  },
  'security-scheme-reactivated': {
    level: 'compatible',
    title: 'Security scheme no longer deprecated',
    why: 'Clients can authenticate with it as before.',
  },
  'security-flow-added': {
    level: 'compatible',
    title: 'OAuth flow added',
    why: 'The other flows still work.',
  },
  'security-flow-removed': {
    level: 'breaking',
    title: 'OAuth flow removed',
    why: 'Clients that get their tokens with the flow can no longer authenticate.',
    instead: 'Keep the flow until clients have moved',
  },
  'security-scope-added': {
    level: 'compatible',
    title: 'OAuth scope added',
    why: 'A scope has an effect only where an operation requires it.',
  },
  'security-scope-removed': {
    level: 'compatible',
    title: 'OAuth scope removed',
    why: 'A scope has an effect only where an operation requires it.',
  },
  'server-added': { level: 'compatible', title: 'Server added', why: 'The servers that clients use are still there.' },
  'server-removed': {
    level: 'risky',
    title: 'Server removed',
    why: 'Clients call its URL. The documents do not tell whether the server still runs.',
    instead: 'Keep the server in the list as long as it responds',
  },
  'server-values-removed': {
    level: 'risky',
    title: 'Values of a server variable removed',
    why: 'Clients call a URL with one of the values. The documents do not tell whether the server still runs.',
    instead: 'Keep the values as long as the servers respond',
  },
  'server-changed': {
    level: 'compatible',
    title: 'Variables of a server changed',
    why: 'All URLs that clients can use are still there.',
  },
  'base-path-moved': {
    level: 'compatible',
    title: 'Base path moved between servers and paths',
    why: 'The URLs of the operations are the same. Generated clients whose base URL is configured need the new one together with the new version of the client.',
  },
  // Parameters
  'required-parameter-added': {
    level: 'breaking',
    title: 'Required parameter added',
    why: 'Requests without the parameter are refused.',
    instead: 'Make the parameter optional with the previous behavior as its default',
  },
  'optional-parameter-added': { level: 'compatible', title: 'Optional parameter added', why: 'Clients do not have to send it.' },
  'parameter-removed': {
    level: 'risky',
    title: 'Parameter removed',
    why: 'The server can ignore the parameter or refuse the request. The documents do not tell which.',
    instead: 'Deprecate the parameter first',
  },
  'parameter-removed-early': {
    level: 'breaking',
    title: 'Deprecated parameter removed before its sunset date',
    why: 'The description promised that clients can send the parameter until its `x-sunset` date.',
    instead: 'Keep the parameter until its `x-sunset` date',
  },
  'parameter-removed-deprecated': {
    level: 'compatible',
    title: 'Deprecated parameter removed',
    why: 'The parameter was deprecated, and its `x-sunset` date has passed or it had none. Clients had notice.',
  },
  'parameter-became-required': {
    level: 'breaking',
    title: 'Parameter became required',
    why: 'Requests without the parameter are refused.',
    instead: 'Keep the parameter optional',
  },
  'parameter-became-optional': {
    level: 'compatible',
    title: 'Parameter became optional',
    why: 'Requests with the parameter are still valid.',
  },
  'parameter-default-changed': {
    level: 'breaking',
    title: 'Default of a parameter changed',
    why: 'Requests without the parameter now mean something else. The default of a required parameter has no effect.',
    instead: 'Add a parameter with another name',
  },
  'parameter-serialization-changed': {
    level: 'breaking',
    title: 'Serialization of a parameter changed',
    why: 'The server reads the value in another way than clients write it.',
    instead: 'Add a parameter with another name',
  },
  'empty-value-allowed': {
    level: widens,
    title: 'Empty value of a parameter allowed',
    why: 'Recipients get a parameter without a value.',
    instead: 'Do not send the parameter',
  },
  'empty-value-forbidden': {
    level: narrows,
    title: 'Empty value of a parameter no longer allowed',
    why: 'Requests with the name of the parameter and no value are refused.',
    instead: 'Keep `allowEmptyValue: true`',
  },
  'parameter-deprecated': { level: 'compatible', title: 'Parameter deprecated', why: 'The parameter still works.' },
  'parameter-reactivated': { level: 'compatible', title: 'Parameter no longer deprecated', why: 'The parameter still works.' },
  // Bodies, responses, headers
  'required-body-added': {
    level: 'breaking',
    title: 'Required request body added',
    why: 'Requests without a body are refused.',
    instead: 'Make the body optional',
  },
  'optional-body-added': {
    level: 'compatible',
    title: 'Optional request body added',
    why: 'Clients do not have to send a body.',
  },
  'body-removed': {
    level: 'breaking',
    title: 'Request body removed',
    why: 'The server can ignore the body or refuse the request, and its data is lost.',
    instead: 'Deprecate the operation and add a new one',
  },
  'body-became-required': {
    level: 'breaking',
    title: 'Request body became required',
    why: 'Requests without a body are refused.',
    instead: 'Keep the body optional',
  },
  'body-became-optional': {
    level: 'compatible',
    title: 'Request body became optional',
    why: 'Requests with a body are still valid.',
  },
  'response-added': { level: 'compatible', title: 'Response added', why: 'Clients must already expect other status codes.' },
  'response-removed': {
    level: 'breaking',
    title: 'Response of a successful request removed',
    why: 'Clients that wait for this status code do not get it.',
    instead: 'Keep the status code, or add an operation with the new one',
  },
  'error-response-removed': {
    level: 'compatible',
    title: 'Response of a failed request removed',
    why: 'Clients get fewer kinds of errors.',
  },
  'header-added': { level: 'compatible', title: 'Response header added', why: 'Clients ignore unknown headers.' },
  'required-header-removed': {
    level: 'breaking',
    title: 'Required response header removed',
    why: 'Clients rely on a header that every response had.',
    instead: 'Keep the header',
  },
  'optional-header-removed': {
    level: 'risky',
    title: 'Optional response header removed',
    why: 'Clients had to expect responses without the header, but some of them can depend on it.',
    instead: 'Keep the header until clients have moved',
  },
  'header-became-required': {
    level: 'compatible',
    title: 'Response header became required',
    why: 'Clients get a guarantee that they did not have.',
  },
  'header-became-optional': {
    level: 'breaking',
    title: 'Response header became optional',
    why: 'Clients rely on a header that every response had.',
    instead: 'Keep sending the header',
  },
  'header-serialization-changed': {
    level: 'breaking',
    title: 'Serialization of a header changed',
    why: 'Clients read the value in another way than the server writes it.',
    instead: 'Add a header with another name',
  },
  'header-deprecated': { level: 'compatible', title: 'Header deprecated', why: 'Responses still have the header.' },
  'header-reactivated': {
    level: 'compatible',
    title: 'Header no longer deprecated',
    why: 'Responses have the header as before.',
  },
  'link-added': { level: 'compatible', title: 'Link added', why: 'Links describe responses and do not change them.' },
  'link-removed': { level: 'compatible', title: 'Link removed', why: 'Links describe responses and do not change them.' },
  'link-changed': { level: 'compatible', title: 'Link changed', why: 'Links describe responses and do not change them.' },
  'media-type-added': {
    level: 'compatible',
    title: 'Media type added',
    why: 'Clients choose among the media types that they know.',
  },
  'media-type-removed': {
    level: 'breaking',
    title: 'Media type removed',
    why: 'Clients that send or accept only this media type get an error.',
    instead: 'Keep the media type beside the new one',
  },
  'media-type-widened': {
    level: widens,
    title: 'Media type became more general',
    why: 'A server accepts more than before, but clients can receive data that they cannot read.',
    instead: 'Keep the specific media type',
  },
  'media-type-narrowed': {
    level: narrows,
    title: 'Media type became more specific',
    why: 'Clients receive a kind of data that they can read, but requests of other kinds are refused.',
    instead: 'Keep the general media type',
  },
  'media-type-schema-added': {
    level: narrows,
    title: 'Schema added to a media type',
    why: 'Requests could have any contents and must now match the schema.',
    instead: 'Describe all contents that the server accepts',
  },
  'media-type-schema-removed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Schema removed from a media type',
    why: 'Clients no longer know the structure of the response.',
    instead: 'Keep the schema',
  },
  'encoding-changed': {
    level: 'risky',
    title: 'Encoding of a property changed',
    why: 'The part of the body is written in another way. Some servers accept both.',
    instead: 'Accept both encodings',
  },
  // Types
  'type-widened': {
    level: widens,
    title: 'More types allowed',
    why: 'A request can contain what it could before. In a response, clients can receive a type that they do not expect.',
    instead: 'Return the new type in a new property',
  },
  'type-narrowed': {
    level: narrows,
    title: 'Fewer types allowed',
    why: 'Requests with a value of another type are refused. In a response, all values are of a type that clients expect.',
    instead: 'Accept the old type too',
  },
  'type-changed': {
    level: 'breaking',
    title: 'Type changed',
    why: 'Values of the old type are refused in requests, and clients do not expect the new type in responses.',
    instead: 'Add a new property or parameter with the new type',
  },
  'type-uncertain': {
    level: 'risky',
    title: 'Type changed inside a parameter',
    why: 'The serialization of the parameter decides whether both types are written in the same way.',
    instead: 'Add a new property or parameter with the new type',
  },
  'format-widened': {
    level: widens,
    title: 'Format became more general',
    why: 'A request can contain what it could before. In a response, clients can receive values that they cannot parse.',
    instead: 'Return the new format in a new property',
  },
  'format-narrowed': {
    level: narrows,
    title: 'Format became more specific',
    why: 'Requests with values in another format are refused.',
    instead: 'Accept the old format too',
  },
  'format-changed': {
    level: 'breaking',
    title: 'Format changed',
    why: 'Values in the old format are refused in requests, and clients cannot parse the new format in responses.',
    instead: 'Add a new property or parameter with the new format',
  },
  'became-nullable': {
    level: widens,
    title: 'Value became nullable',
    why: 'Clients do not expect `null` in a response.',
    instead: 'Leave out the property instead, if it is optional',
  },
  'became-not-nullable': {
    level: narrows,
    title: 'Value is no longer nullable',
    why: 'Requests with `null` are refused.',
    instead: 'Continue to accept `null`',
  },
  // Values
  'enum-added': {
    level: narrows,
    title: 'Value became an enum',
    why: 'Requests with other values are refused.',
    instead: 'List the known values in the description',
  },
  'enum-removed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Enum removed',
    why: 'Clients can receive values that they do not expect.',
    instead: 'Keep the enum, or use `x-extensible-enum`',
  },
  'enum-value-added': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Enum value added',
    why: 'Clients can receive a value that they do not expect. Many clients handle unknown values.',
    instead: 'Tell clients to expect unknown values, for example with `x-extensible-enum`',
  },
  'enum-value-removed': {
    level: narrows,
    title: 'Enum value removed',
    why: 'Requests with the value are refused.',
    instead: 'Continue to accept the value',
  },
  'extensible-enum-value-removed': {
    level: narrows,
    title: 'Value of an extensible enum removed',
    why: 'Requests with the value are refused.',
    instead: 'Continue to accept the value',
  },
  'extensible-enum-changed': {
    level: 'compatible',
    title: 'Extensible enum extended, added or removed',
    why: 'Clients must expect other values than those of `x-extensible-enum`.',
  },
  'const-added': {
    level: narrows,
    title: 'Constant value added',
    why: 'Requests with other values are refused.',
    instead: 'Continue to accept other values',
  },
  'const-changed': {
    level: 'breaking',
    title: 'Constant value changed',
    why: 'The old value is refused in requests, and clients do not expect the new value in responses.',
    instead: 'Add a new property',
  },
  'const-removed': {
    level: widens,
    title: 'Constant value removed',
    why: 'Clients can receive values that they do not expect.',
    instead: 'Keep the constant value',
  },
  'limit-added': {
    level: { request: 'risky', response: 'compatible' },
    title: 'Limit added',
    why: 'Requests beyond the limit are refused. The server may have had the same limit before. This applies to every keyword with a limit, to `multipleOf` and to `uniqueItems`.',
    instead: 'Choose a limit that all existing requests meet',
  },
  'limit-tightened': {
    level: narrows,
    title: 'Limit tightened',
    why: 'Requests between the old and the new limit are refused.',
    instead: 'Keep the old limit',
  },
  'limit-loosened': {
    level: widens,
    title: 'Limit loosened',
    why: 'Clients can receive values beyond the limit that they rely on.',
    instead: 'Keep the old limit',
  },
  'limit-removed': {
    level: widens,
    title: 'Limit removed',
    why: 'Clients can receive values beyond the limit that they rely on.',
    instead: 'Keep the limit',
  },
  'pattern-added': {
    level: narrows,
    title: 'Pattern added',
    why: 'Requests with values that do not match are refused.',
    instead: 'Accept the values that were valid before',
  },
  'pattern-changed': {
    level: 'risky',
    title: 'Pattern changed',
    why: 'Whether the new pattern allows the old values cannot be decided in general.',
    instead: 'Check that the new pattern allows every value that was valid before',
  },
  'pattern-widened': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Pattern allows any string',
    why: 'Clients can receive values that do not match the old pattern.',
    instead: 'Keep the pattern',
  },
  'pattern-removed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Pattern removed',
    why: 'Clients can receive values that do not match the old pattern.',
    instead: 'Keep the pattern',
  },
  'default-changed': {
    level: { request: 'risky', response: 'compatible' },
    title: 'Default value of a property changed',
    why: 'Requests without the property can mean something else. But a server can also keep the stored value, so the documents do not decide it as for parameters. The default of a required property has no effect.',
    instead: 'Add a property with another name',
  },
  'content-encoding-changed': {
    level: 'breaking',
    title: 'Encoding of a string changed',
    why: 'Both sides write and read the bytes of the string in different ways.',
    instead: 'Add a new property with the new encoding',
  },
  'xml-changed': {
    level: 'breaking',
    title: 'XML representation changed',
    why: 'Both sides write and read elements and attributes with different names. Reported for media types of XML only.',
    instead: 'Keep the names, or add a property',
  },
  // Properties
  'required-property-added': {
    level: narrows,
    title: 'Required property added',
    why: 'Requests without the property are refused, even if it has a default.',
    instead: 'Make the property optional',
  },
  'optional-property-added': {
    level: 'compatible',
    title: 'Optional property added',
    why: 'Clients do not have to send it, and ignore unknown properties in responses.',
  },
  'property-added-to-closed-object': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Property added to an object without additional properties',
    why: 'The old schema allows no other properties, so clients that validate responses refuse them.',
    instead: 'Remove `additionalProperties: false` from the schemas of responses before you extend them',
  },
  'required-property-removed': {
    level: { request: 'risky', response: 'breaking' },
    title: 'Required property removed',
    why: 'Clients rely on a property that every response had. In a request, the server can ignore or refuse it.',
    instead: 'Deprecate the property first',
  },
  'optional-property-removed': {
    level: 'risky',
    title: 'Optional property removed',
    why: 'Clients had to expect objects without the property, but some of them can depend on it.',
    instead: 'Deprecate the property first',
  },
  'property-removed-from-closed-object': {
    level: 'breaking',
    title: 'Property removed from an object without additional properties',
    why: 'The new schema allows no other properties, so requests with the property are refused. Reported for requests only.',
    instead: 'Deprecate the property, and continue to accept it',
  },
  'property-became-required': {
    level: narrows,
    title: 'Property became required',
    why: 'Requests without the property are refused.',
    instead: 'Keep the property optional',
  },
  'property-became-optional': {
    level: widens,
    title: 'Property became optional',
    why: 'Clients rely on a property that every response had.',
    instead: 'Keep returning the property',
  },
  'property-deprecated': { level: 'compatible', title: 'Property deprecated', why: 'The property still works.' },
  'property-reactivated': { level: 'compatible', title: 'Property no longer deprecated', why: 'The property still works.' },
  'read-only-changed': {
    level: 'compatible',
    title: '`readOnly` changed',
    why: 'It tells in which direction the property is used, and does not change its values.',
  },
  'write-only-changed': {
    level: 'compatible',
    title: '`writeOnly` changed',
    why: 'It tells in which direction the property is used, and does not change its values.',
  },
  'required-property-no-longer-read-only': {
    level: narrows,
    title: 'Required property is no longer `readOnly`',
    why: 'Clients did not send the property, and requests without it are now refused.',
    instead: 'Make the property optional',
  },
  'required-property-returned': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Required property is no longer `writeOnly`',
    why: 'Responses contain a required property that clients have not received before.',
    instead: 'Return the data in a new property',
  },
  'additional-properties-forbidden': {
    level: narrows,
    title: 'Additional properties forbidden',
    why: 'Requests with other properties are refused.',
    instead: 'Continue to accept and ignore other properties',
  },
  'additional-properties-allowed': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Additional properties allowed',
    why: 'Clients can receive properties that they do not know. Most clients ignore them.',
    instead: 'Name the new properties in the schema',
  },
  // Combined and conditional schemas
  'alternative-added': {
    level: widens,
    title: 'Alternative added',
    why: 'Clients can receive a kind of value that they do not know.',
    instead: 'Return the new kind only to clients that ask for it',
  },
  'alternative-removed': {
    level: narrows,
    title: 'Alternative removed',
    why: 'Requests with this kind of value are refused.',
    instead: 'Continue to accept the alternative',
  },
  'alternatives-replaced': {
    level: 'breaking',
    title: 'Schema replaced by alternatives, or alternatives by a schema',
    why: 'No alternative matches the old schema, so values of one version are invalid in the other.',
    instead: 'Add the old schema as an alternative',
  },
  'constraint-added': {
    level: narrows,
    title: 'Constraint added',
    why: 'Requests that do not match the new schema are refused.',
    instead: 'Accept the values that were valid before',
  },
  'constraint-removed': {
    level: widens,
    title: 'Constraint removed',
    why: 'Clients can receive values that the schema excluded before.',
    instead: 'Keep the schema',
  },
  'constraint-changed': {
    level: 'risky',
    title: 'Condition changed',
    why: 'Values can move from one case to the other. Which ones cannot be decided in general.',
    instead: 'Check that every value that was valid before still is',
  },
  'dependent-required-changed': {
    level: 'breaking',
    title: 'Dependent required properties changed',
    why: 'Objects that were complete are not complete anymore, in requests and in responses.',
    instead: 'Keep the old properties required',
  },
  'tuple-item-added': {
    level: widens,
    title: 'Item added to a tuple',
    why: 'Clients can receive more items than they expect.',
    instead: 'Return the new item in a new property',
  },
  'tuple-item-removed': {
    level: narrows,
    title: 'Item removed from a tuple',
    why: 'Requests with the item are refused.',
    instead: 'Continue to accept the item',
  },
  'composition-changed': {
    level: 'compatible',
    title: 'Branches of `allOf`, `anyOf` or `not` added or removed without an effect',
    why: 'The branches exclude no value that the other parts of the schema allow. Objects with a property that the schema does not describe do not count, because clients neither send nor expect it.',
  },
  'discriminator-value-removed': {
    level: { request: 'breaking', response: 'risky' },
    title: 'Value of a discriminator removed',
    why: 'Requests with the value no longer select a schema. In a response, clients can depend on the value.',
    instead: 'Keep the value in `mapping`, beside the new one',
  },
  'discriminator-value-renamed': {
    level: { request: 'breaking', response: 'risky' },
    title: 'Value of a discriminator renamed',
    why: 'Requests with the old value no longer select a schema, and clients can receive a value that they do not know.',
    instead: 'Keep the old value in `mapping`, beside the new one',
  },
  'discriminator-value-added': {
    level: { request: 'compatible', response: 'risky' },
    title: 'Value of a discriminator added',
    why: 'Clients can receive a new value for a kind of object that they know.',
    instead: 'Return the value that clients know',
  },
  'discriminator-target-changed': {
    level: 'risky',
    title: 'Value of a discriminator selects another schema',
    why: 'Objects with the value must match another schema. The documents do not tell whether existing ones do.',
    instead: 'Add a new value for the other schema',
  },
  'discriminator-changed': {
    level: 'compatible',
    title: 'Discriminator changed',
    why: 'A discriminator helps tools to choose a schema. All values that clients send still select one.',
  },
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

/** How to make a change with a code without breaking clients, if there is a way. */
export function findCompatibleWay(code: ChangeCode): string | undefined {
  const { instead }: CodeRow = changeCodes[code]
  return instead
}

/** The URL of a code's documentation. */
export function changeUrl(code: ChangeCode): AllowedUrl {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#${code}` as AllowedUrl
}
