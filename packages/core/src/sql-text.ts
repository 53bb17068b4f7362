import type { DialectName } from './executor.ts'

/**
 * The parts of a statement that are not plain words: comments, quoted names, literals. What is left open ends
 * with the text, and each can be read in one way only, so that hostile text costs no more than its length.
 */
interface Lexicon {
  readonly comment: string
  readonly name: string
  readonly text: string
}

const dashes = '--[^\\n]*'
const starred = '/\\*(?:[^*]|\\*(?!/))*(?:\\*/|$)'
const plainText = "(?:'[^']*(?:'|$))+"
const escapedText = "(?:'(?:[^'\\\\]|\\\\[\\s\\S])*(?:'|\\\\?$))+"
const doubleQuoted = '"[^"]*(?:"|$)'
const backQuoted = '`[^`]*(?:`|$)'

// A doubled quote ends one part of a literal and begins the next.
const lexicons: Record<DialectName, Lexicon> = {
  sqlite: {
    comment: `${dashes}|${starred}`,
    name: `${doubleQuoted}|${backQuoted}|\\[[^\\]]*(?:\\]|$)`,
    text: plainText,
  },
  postgres: {
    comment: `${dashes}|${starred}`,
    name: doubleQuoted,
    text: `\\b[eE]${escapedText}|${plainText}|\\$([A-Za-z_]\\w*|)\\$(?:[\\s\\S]*?\\$\\4\\$|[\\s\\S]*$)`,
  },
  mysql: {
    comment: `${dashes}|#[^\\n]*|${starred}`,
    name: backQuoted,
    text: `${escapedText}|"(?:[^"\\\\]|\\\\[\\s\\S])*(?:"|\\\\?$)`,
  },
}

const number = '(?<![\\w$@:?])(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\b'

function patternsOf({ comment, name, text }: Lexicon): RegExp {
  return new RegExp(`(${comment})|(${name})|(${text})|(${number})`, 'g')
}

const patterns: Record<DialectName, RegExp> = {
  sqlite: patternsOf(lexicons.sqlite),
  postgres: patternsOf(lexicons.postgres),
  mysql: patternsOf(lexicons.mysql),
}

/** The plain words of a statement: a blank for each comment, quoted name and literal. */
export function bareText(sql: string, dialect: DialectName): string {
  return sql.replace(patterns[dialect], ' ')
}

/** The statement with `?` for each literal and nothing for each comment: what may be shown to anybody. */
export function redactedText(sql: string, dialect: DialectName): string {
  return sql.replace(patterns[dialect], (part, comment?: string, name?: string) => {
    if (comment !== undefined) return ' '
    return name !== undefined ? part : '?'
  })
}
