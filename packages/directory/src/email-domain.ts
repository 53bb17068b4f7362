import { toASCII } from 'tr46'

/** As the URL standard asks: https://url.spec.whatwg.org/#concept-domain-to-ascii */
const lookup = { checkBidi: true, checkJoiners: true }

/**
 * Folds a domain to the spelling that DNS asks for (UTS 46, non-transitional, without length limits).
 * One that IDNA refuses receives no mail; it is kept, in lower case.
 * A domain of ASCII only is in its final form but for its case, punycode labels included.
 */
export function foldDomain(domain: string): string {
  const isAscii = /^[\0-\x7F]*$/.test(domain)
  return (isAscii ? null : toASCII(domain, lookup)) ?? domain.toLowerCase()
}
