/** Tells the dialects whose keywords the tables have. */
export function isKnownDialect(dialect: string): boolean {
  return /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/[^#]*)#?$/.test(
    dialect,
  )
}
