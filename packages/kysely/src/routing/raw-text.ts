import { is, isNode, type OperationNode, type RawNode } from '../tree.ts'

/** Stands in the text for a node of the tree: a value, a name, a sub-query. */
const NODE = '\0'

/** A raw fragment as one text, with what was put into it. */
export interface Fragment {
  readonly text: string
  /** In the order of their places; fragments inside the fragment are part of its text. */
  readonly nodes: readonly OperationNode[]
}

/** What can be known of a fragment's text. */
export interface Reading {
  /** Why it may not be used; null if what it means ends with it. */
  readonly flaw: string | null
  /** True if it reads as one operand wherever it stands, without parentheses around it. */
  readonly isAtom: boolean
  /** Is there a comma outside of all parentheses, so that it is a list? */
  readonly isList: boolean
  /** Its words in lower case, with those that are followed by a parenthesis in `calls`. */
  readonly words: ReadonlySet<string>
  readonly calls: ReadonlySet<string>
  /** What stands outside of all parentheses. */
  readonly top: { readonly words: readonly string[]; readonly signs: string }
}

/** A fragment with the fragments inside it written out. */
export function fragmentOf(raw: RawNode): Fragment {
  let text = ''
  const nodes: OperationNode[] = []
  for (const [i, part] of raw.sqlFragments.entries()) {
    text += part.includes(NODE) ? `${part};` : part
    const node = raw.parameters[i]
    if (node === undefined) continue
    if (is<RawNode>(node, 'RawNode')) {
      const inner = fragmentOf(node)
      text += inner.text
      nodes.push(...inner.nodes)
    } else if (isNode(node)) {
      text += NODE
      nodes.push(node)
    }
  }
  return { text, nodes }
}

/** The one node that a fragment such as `sql.ref('a')` stands for; the node itself if it is none. */
export function bare(node: OperationNode): OperationNode {
  if (!is<RawNode>(node, 'RawNode')) return node
  const { text, nodes } = fragmentOf(node)
  return text === NODE && nodes[0] ? nodes[0] : node
}

// The `json...From` helpers that Kysely brings: nothing but the sub-query in them has tables.
const args = '\\0(?:, \\0)*'
const known = new RegExp(
  `^\\((?:${[
    "select coalesce\\(json_agg\\(agg\\), '\\[\\]'\\) from \\0 as agg",
    'select to_json\\(obj\\) from \\0 as obj',
    `select cast\\(coalesce\\(json_arrayagg\\(json_object\\(${args}\\)\\), '\\[\\]'\\) as json\\) from \\0 as agg`,
    `select coalesce\\(json_group_array\\(json_object\\(${args}\\)\\), '\\[\\]'\\) from \\0 as agg`,
    `select json_object\\(${args}\\) from \\0 as obj`,
  ].join('|')})\\)$`,
)

/** Is it the fragment of one of Kysely's own JSON helpers, which holds a sub-query as its last node? */
export function isJsonHelper({ text, nodes }: Fragment): boolean {
  const last = nodes.at(-1)
  return known.test(text) && last?.kind === 'SelectQueryNode'
}

/** Words with which a fragment could reach a table, or another statement, by itself. */
const reaching = new Set(
  (
    'select from join into update using delete insert merge union intersect except minus table lateral ' +
    'call exec execute copy truncate drop alter create grant attach pragma do handler load lock ' +
    'query_to_xml query_to_xml_and_xmlschema table_to_xml table_to_xml_and_xmlschema schema_to_xml ' +
    'database_to_xml cursor_to_xml dblink dblink_exec dblink_fetch load_extension readfile load_file'
  ).split(' '),
)

/** Words after which a parenthesis does not make one operand. */
const operators = new Set(
  (
    'and or xor not in between like ilike is isnull notnull case when then else end div mod escape collate ' +
    'regexp rlike glob match similar over filter binary interval where having order group limit on set values as'
  ).split(' '),
)

// Each token can be read in one way only by SQLite, PostgreSQL and MySQL; the first class that is none of them is a flaw.
const token =
  /[ \t\r\n]+|(?<quoted>'[^'\\\0]*'|"[^"\\\0]*"|`[^`\\\0]*`)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<number>\d+(?:\.\d+)?)|(?<cast>::)|(?<flaw>--|\/\*|@\w|[#$\\;?:'"`{}]|[^\0-\x7f])|(?<open>[([])|(?<close>[)\]])|(?<node>\0)|(?<other>[\s\S])/gy

/** One letter for each token that stands outside of all parentheses. */
const letters = { quoted: 's', word: 'w', number: 'n', cast: 'c', node: 'o', other: 'p' } as const

const atom = /^(?:w(?:\.[ws])*g?|s(?:\.[ws])*|[no]|g)(?:cw(?:g)?)*$/

const flaws: Record<string, string> = {
  '--': 'a comment',
  '/*': 'a comment',
  '#': 'a comment in MySQL',
  ';': 'a semicolon',
  '?': 'a placeholder',
  ':': 'a placeholder',
  $: 'a placeholder or a dollar quote',
  '\\': 'a backslash',
}

/** Reads a fragment's text. */
export function readText(text: string): Reading {
  const reader = new TextReader()
  for (const { groups = {}, 0: part } of text.matchAll(token)) reader.take(part, groups)
  return reader.end()
}

type Groups = Record<string, string | undefined>

/** Takes in a text token by token. */
class TextReader {
  readonly #open: string[] = []
  readonly #words = new Set<string>()
  readonly #calls = new Set<string>()
  readonly #top = { words: [] as string[], signs: '' }
  #shape = ''
  #first: string | null = null
  #last: string | null = null
  #flaw: string | null = null

  take(part: string, groups: Groups): void {
    const { word, open, close, flaw } = groups
    if (flaw !== undefined) this.#flaw ??= `it contains ${flaws[flaw] ?? JSON.stringify(flaw)}`
    if (groups.quoted !== undefined && this.#open.includes('['))
      this.#flaw ??= 'it has a quote inside of brackets'
    if (word !== undefined) this.#takeWord(word.toLowerCase())
    if (this.#last === 'in' && open !== '(' && part.trim() !== '')
      this.#flaw ??= 'IN has a name instead of a list'
    if (open === '(' && this.#last !== null) this.#calls.add(this.#last)
    if (part.trim() !== '') this.#last = word?.toLowerCase() ?? null
    if (open !== undefined) this.#takeOpen(open)
    else if (close !== undefined) {
      if (this.#open.pop() !== (close === ')' ? '(' : '[')) this.#flaw ??= 'its parentheses do not match'
    } else if (this.#open.length === 0) this.#takeTop(part, groups)
  }

  end(): Reading {
    if (this.#open.length > 0) this.#flaw ??= 'its parentheses do not match'
    if (this.#last === 'in') this.#flaw ??= 'it ends with IN'
    return {
      flaw: this.#flaw,
      isAtom: atom.test(this.#shape) && !(this.#first !== null && operators.has(this.#first)),
      isList: this.#shape.includes(','),
      words: this.#words,
      calls: this.#calls,
      top: this.#top,
    }
  }

  #takeWord(word: string): void {
    this.#words.add(word)
    this.#first ??= word
    if (reaching.has(word)) this.#flaw ??= `it contains the word ${word}`
    if (this.#open.length === 0) this.#top.words.push(word)
  }

  #takeOpen(open: string): void {
    if (this.#open.length === 0) this.#shape += open === '(' ? 'g' : 'b'
    this.#open.push(open)
  }

  #takeTop(part: string, groups: Groups): void {
    if (groups.other !== undefined) this.#top.signs += part
    for (const [name, letter] of Object.entries(letters)) {
      if (groups[name] !== undefined) this.#shape += name === 'other' && /[.,]/.test(part) ? part : letter
    }
  }
}
