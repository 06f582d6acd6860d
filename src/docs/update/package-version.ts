/** The version of this package. A constant, so that no run reads `package.json`; a test holds the two together. */
export const packageVersion = '0.1.0'
